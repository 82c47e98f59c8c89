// Whether commands can be contained here, found out by containing one: it is to write in its folder, and to fail in the next, at a
// protected file and at a hidden one. What counts is what is in the folders afterwards.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { floor, type WrapRequest, workdir } from "@harness/sandbox-floor";
import { wrapCommand } from "./wrap.js";

export interface Probe {
  readonly works: boolean;
  /** Why it does not, and what would help: one sentence. `null` where it works. */
  readonly problem: string | null;
}

export interface Machine {
  /** Node's name of the platform. */
  readonly platform: string;
  /** The absolute path of `sandbox-exec`. */
  readonly program: string;
}

const line = 'echo in > "$1/file"; echo out > "$2/file"; echo over > "$1/kept"; cat "$1/secret" > "$1/leak"; true';

/** Never rejects. */
export async function probe({ platform, program }: Machine): Promise<Probe> {
  if (platform !== "darwin") return fails(`Seatbelt is a part of macOS, and this is ${platform}.`);
  if (!existsSync(program)) return fails(`Seatbelt needs ${program}, which is not here; it comes with macOS.`);
  try {
    return await tryOut(program);
  } catch (error) {
    return fails(`Seatbelt does not work here: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function tryOut(program: string): Promise<Probe> {
  const folder = await workdir();
  try {
    const [inside, outside] = [join(folder.path, "inside"), join(folder.path, "outside")];
    for (const path of [inside, outside]) mkdirSync(path);
    for (const name of ["kept", "secret"]) writeFileSync(join(inside, name), name);
    const said = await contain(program, inside, outside);
    const leaks = [...(existsSync(join(outside, "file")) ? ["wrote outside of its folder"] : []), ...leaksIn(inside)];
    if (leaks.length > 0) return fails(`Seatbelt does not hold here: a contained command ${leaks.join(" and ")}.`);
    if (existsSync(join(inside, "file"))) return { works: true, problem: null };
    const why = `Seatbelt does not work here (${said || "no reason given"})`;
    return fails(`${why}; inside another sandbox it cannot, so start the harness outside of it.`);
  } finally {
    await folder.remove();
  }
}

/** What was said on its standard error. */
async function contain(program: string, inside: string, outside: string): Promise<string> {
  const wrap = (request: WrapRequest) => wrapCommand(request, { program, places: { caches: [] } });
  const sandbox = floor({ backend: "macos-sandbox-exec", wrap, wrapperSets: ["temp"] });
  const { stderr } = await sandbox.run({
    argv: ["/bin/sh", "-c", line, "sh", inside, outside],
    ...{ cwd: inside, timeoutMs: 10_000 },
    protectedPaths: [join(inside, "kept")],
    hiddenPaths: [join(inside, "secret")],
  });
  return stderr.text.trim().slice(0, 300);
}

function leaksIn(folder: string): readonly string[] {
  const holds = (name: string) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), "utf8") : "");
  return [
    ...(holds("kept") === "kept" ? [] : ["changed a protected file"]),
    ...(holds("leak").includes("secret") ? ["read a hidden file"] : []),
  ];
}

function fails(problem: string): Probe {
  return { works: false, problem };
}
