// The demo and the binary as processes of their own, in a home of their own, and a second connection that watches their store.
import { type ChildProcess, spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type RunEvent, type RunId, unseal } from "@harness/spec";
import { sqliteStore } from "@harness/store-sqlite";

const built = (path: string) => fileURLToPath(new URL(path, import.meta.url));
export const demo = built("../dist/index.js");
export const harness = built("../../cli/dist/index.js");
const hangInWrite = new URL("./__fixtures__/hang-in-write.mjs", import.meta.url).href;

/** These tests start what is built: `npm test` builds it first. */
export const isBuilt = existsSync(demo) && existsSync(harness);

export interface Running {
  readonly child: ChildProcess;
  /** Both streams, so far. */
  readonly output: () => string;
  readonly ended: Promise<{ readonly code: number | null; readonly output: string }>;
}

export interface Home {
  readonly path: string;
  start(args: readonly string[], env?: Readonly<Record<string, string>>): Running;
  /** Resolves to the id of the only run, once its log satisfies `condition`. */
  untilLog(condition: (events: readonly RunEvent[]) => boolean): Promise<RunId>;
  events(): Promise<readonly RunEvent[]>;
  /** Ends what the tests left running, and removes the folder. */
  [Symbol.dispose](): void;
}

/** A home for one run, under the system's folder for temporary files. */
export function temporaryHome(): Home {
  const path = mkdtempSync(join(tmpdir(), "harness-demo-"));
  const started: ChildProcess[] = [];
  const store = () => sqliteStore({ path: join(path, "runs.db"), readonly: true });

  async function look(): Promise<{ readonly id: RunId | undefined; readonly events: readonly RunEvent[] }> {
    await using open = store();
    const [head] = existsSync(join(path, "runs.db")) ? await open.runs().catch(() => []) : [];
    const events: RunEvent[] = [];
    if (head) for await (const stored of open.read(head.id)) events.push(unseal(stored));
    return { id: head?.id, events };
  }

  return {
    path,
    start(args, env = {}) {
      const running = start(path, args, env);
      started.push(running.child);
      return running;
    },
    async untilLog(condition) {
      for (;;) {
        const { id, events } = await look();
        if (id !== undefined && condition(events)) return id;
        await pause();
      }
    },
    events: async () => (await look()).events,
    [Symbol.dispose]() {
      for (const child of started) child.kill("SIGKILL");
      endHanging(path);
      rmSync(path, { recursive: true, force: true });
    },
  };
}

/** The machine of whoever runs the tests may have a key, and no test may spend by it. */
const noModel = {
  ANTHROPIC_API_KEY: "",
  OPENAI_API_KEY: "",
  OPENROUTER_API_KEY: "",
  HARNESS_BASE_URL: "",
  HARNESS_MODEL: "",
};

function start(home: string, args: readonly string[], env: Readonly<Record<string, string>>): Running {
  const whole = { ...process.env, ...noModel, NO_COLOR: "1", HARNESS_HOME: home, HARNESS_DEMO_PACE_MS: "0", ...env };
  const child = spawn(process.execPath, args, { env: whole, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  const ended = new Promise<{ code: number | null; output: string }>((resolve) => {
    child.on("close", (code) => resolve({ code, output }));
  });
  return { child, output: () => output, ended };
}

export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await pause();
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 10));
}

/** What makes the first write of `name` hang, and the file that tells that it does. */
export function hangingWrite(home: Home, name: string, when: "before" | "after") {
  const marker = join(home.path, "write-hangs");
  return {
    args: ["--import", hangInWrite],
    env: { HANG_NAME: name, HANG_WHEN: when, HANG_MARKER: marker },
    isReached: () => existsSync(marker),
  };
}

/** Runs test files in one process: those named, or all there are. */
const testsInOneProcess =
  'import { readdirSync } from "node:fs"; const [, ...named] = process.argv; ' +
  'for (const file of named.length > 0 ? named : readdirSync("test").map((name) => "test/" + name)) ' +
  'await import(process.cwd() + "/" + file);';

/** Written where a contained command may write: in its working folder, the copy of the project. */
const markerName = "npm-hangs";

/**
 * A stand-in for npm that knows `npm test` and is quicker. With exactly the arguments `hangsAt` it hangs instead, once it has
 * said so.
 */
export function quickNpm(home: Home, hangsAt?: string) {
  const folder = join(home.path, "bin");
  mkdirSync(folder);
  const script = [
    "#!/bin/sh",
    ...(hangsAt === undefined ? [] : [`if [ "$*" = "${hangsAt}" ]; then echo $$ > ${markerName}; exec sleep 600; fi`]),
    'shift; [ "$1" = "--" ] && shift',
    `exec "${process.execPath}" --input-type=module -e '${testsInOneProcess}' "$@"`,
  ];
  writeFileSync(join(folder, "npm"), `${script.join("\n")}\n`);
  chmodSync(join(folder, "npm"), 0o755);
  return {
    env: { PATH: folder + delimiter + (process.env.PATH ?? "") },
    isReached: () => markersIn(home.path).some((marker) => readFileSync(marker, "utf8").trim() !== ""),
    /** From now on it does not hang. */
    release() {
      endHanging(home.path);
      rmSync(folder, { recursive: true });
      return quickNpm(home);
    },
  };
}

function markersIn(home: string): readonly string[] {
  const projects = join(home, "demo");
  if (!existsSync(projects)) return [];
  return readdirSync(projects)
    .map((project) => join(projects, project, markerName))
    .filter((marker) => existsSync(marker));
}

/**
 * What a killed driver left hanging is an orphan, and this test's own; contained, it is gone. Its number is of its own namespace then,
 * and a stranger's here: only what works in this test's folder is ended.
 */
function endHanging(home: string): void {
  for (const marker of markersIn(home)) {
    const pid = Number(readFileSync(marker, "utf8"));
    rmSync(marker);
    try {
      const isOurs = process.platform !== "linux" || readlinkSync(`/proc/${pid}/cwd`).startsWith(home);
      if (pid > 1 && isOurs) process.kill(pid, "SIGKILL");
    } catch {
      // It has ended already.
    }
  }
}
