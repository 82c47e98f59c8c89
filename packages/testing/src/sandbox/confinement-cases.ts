// Boundaries that a sandbox may have. Each attempt is made, and then the world is looked at: an exit status proves nothing.
// Beside each stands what must still work, so that a command that did not run at all does not pass for a confined one.
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, statSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { basename, dirname, join } from "node:path";
import { expect } from "vitest";
import { hasProgram, node, sh, writing } from "./payloads.js";
import { always, type Case, type Cases, onPosix, type Subject } from "./subject.js";

async function textOf(path: string): Promise<string | null> {
  return readFile(path, "utf8").catch(() => null);
}

const needsWrites: Case["unless"] = ({ enforces }) => (enforces.writes ? undefined : "enforces.writes is false");

const needsReads: Case["unless"] = ({ enforces }) => (enforces.reads ? undefined : "enforces.reads is false");

const reading = (...paths: string[]) =>
  node(
    `for (const path of process.argv.slice(1)) try { console.log(require("fs").readFileSync(path, "utf8")) } catch {}`,
    ...paths,
  );

function factsOf(path: string) {
  const { mode, mtimeMs } = statSync(path);
  return { mode, mtimeMs };
}

/** Counts connections to a port of this host while `body` runs. */
async function connectionsDuring(body: (port: number) => Promise<unknown>): Promise<number> {
  let count = 0;
  const server = createServer((socket) => {
    count += 1;
    socket.end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    await body((server.address() as { port: number }).port);
    return count;
  } finally {
    server.close();
  }
}

const dial = (port: number) =>
  node(
    `require("net").connect(Number(process.argv[1]), "127.0.0.1").on("close", () => process.exit(0)).on("error", () => {});
     setTimeout(() => process.exit(1), 5000)`,
    String(port),
  );

async function dialed({ run }: Subject, egress: "deny" | "allow"): Promise<number> {
  return connectionsDuring((port) => run(dial(port), { egress, timeoutMs: 60_000 }));
}

export const confinementCases: Cases = {
  "lets a command write to its working folder and its roots, and nowhere else": {
    unless: needsWrites,
    prove: async ({ run, folder, outside }) => {
      const [root, other] = [join(outside, "root"), join(outside, "other")];
      await mkdir(root);
      await run(writing(join(folder, "made"), join(root, "made"), other), { writableRoots: [root] });

      expect(await textOf(join(folder, "made"))).toBe("written");
      expect(await textOf(join(root, "made"))).toBe("written");
      expect(await textOf(other)).toBeNull();
    },
  },

  "lets a read-only command write nowhere": {
    unless: needsWrites,
    prove: async ({ run, folder, outside }) => {
      await writeFile(join(folder, "kept"), "as it was");
      const outcome = await run(writing(join(folder, "kept"), join(folder, "made"), join(outside, "made")), {
        mode: "read-only",
      });

      expect(outcome.exitCode).toBe(0);
      expect(await textOf(join(folder, "kept"))).toBe("as it was");
      expect(await textOf(join(folder, "made"))).toBeNull();
      expect(await textOf(join(outside, "made"))).toBeNull();
    },
  },

  "lets a command write in all of a workspace that is wider than its working folder": always(
    async ({ sandbox, folder }) => {
      const cwd = join(folder, "inner");
      await mkdir(cwd);
      const argv = writing(join(folder, "made"), join(cwd, "made"));
      expect(await sandbox.run({ argv, cwd, workspace: folder })).toMatchObject({ exitCode: 0 });

      expect(await textOf(join(folder, "made"))).toBe("written");
      expect(await textOf(join(cwd, "made"))).toBe("written");
    },
  ),

  "lets a command write in its working folder only, when it is told of no wider workspace": {
    unless: needsWrites,
    prove: async ({ sandbox, folder }) => {
      const cwd = join(folder, "inner");
      await mkdir(cwd);
      await sandbox.run({ argv: writing(join(folder, "made"), join(cwd, "made")), cwd });

      expect(await textOf(join(folder, "made"))).toBeNull();
      expect(await textOf(join(cwd, "made"))).toBe("written");
    },
  },

  "lets a read-only command do what readers do: discard output, use temporary files, ask git": onPosix(
    async ({ run, folder }) => {
      execFileSync("git", ["init", "-q"], { cwd: folder });
      await writeFile(join(folder, "file"), "x");
      const source = `echo x 2>/dev/null >/dev/null && t=$(mktemp) && echo y > "$t" && cat "$t" && git status --short`;

      expect(await run(sh(source), { mode: "read-only" })).toMatchObject({
        exitCode: 0,
        stdout: { text: "y\n?? file\n" },
      });
    },
    () => (hasProgram("git") ? undefined : "needs git"),
  ),

  "leaves modes and times as they are of what a command may not write": onPosix(
    async ({ run, folder, outside }) => {
      const files = [join(folder, "file"), join(outside, "file")];
      for (const file of files) await writeFile(file, "x");
      const before = files.map((file) => factsOf(file));
      await run(sh(`for f; do chmod 777 "$f"; touch -t 200101010000 "$f"; done`, ...files), { mode: "read-only" });

      expect(files.map((file) => factsOf(file))).toEqual(before);
    },
    ({ enforces }) => (enforces.metadata ? undefined : "enforces.metadata is false"),
  ),

  "begins every command with an empty temporary folder, of which nothing is left": onPosix(
    async ({ run, folder }) => {
      const mark = basename(dirname(folder));
      const places = `"\${TMPDIR:-/tmp}/$1" "/tmp/$1" "/var/tmp/$1"`;
      const source = `for f in ${places}; do [ -e "$f" ] && echo "FOUND $f"; echo x > "$f"; echo "MADE $f"; done`;
      const outcomes = [await run(sh(source, mark)), await run(sh(source, mark))];
      const said = (start: string) =>
        outcomes.map(({ stdout }) => stdout.text.split("\n").filter((line) => line.startsWith(start)));
      const [made = []] = said("MADE ");
      // Two names of one place find each other, in the second command as in the first.
      const [found, foundLater] = said("FOUND ");

      expect(made).toHaveLength(3);
      expect(made.filter((line) => existsSync(line.replace("MADE ", "")))).toEqual([]);
      expect(foundLater).toEqual(found);
    },
    ({ enforces }) => (enforces.privateTemp ? undefined : "enforces.privateTemp is false"),
  ),

  "does not show hidden paths": {
    unless: needsReads,
    prove: async ({ run, folder, outside }) => {
      await writeFile(join(outside, "hidden"), "a secret");
      await writeFile(join(folder, "shown"), "no secret");
      const outcome = await run(reading(join(outside, "hidden"), join(folder, "shown")), { hiddenPaths: [outside] });

      expect(outcome.stdout.text).toContain("no secret");
      expect(outcome.stdout.text).not.toContain("a secret");
    },
  },

  "hides what a rule denies to read, a file and all that is in a folder": {
    unless: needsReads,
    prove: async ({ run, folder }) => {
      await mkdir(join(folder, "private", "deep"), { recursive: true });
      const files = ["secret.env", "private/deep/key", "shown"].map((name) => join(folder, name));
      for (const file of files) await writeFile(file, file.endsWith("shown") ? "no secret" : "a secret");
      const outcome = await run(reading(...files), {
        isDenied: (act, path) => act === "read" && (path === "secret.env" || /^private(\/|$)/.test(path)),
      });

      expect(outcome.stdout.text).toContain("no secret");
      expect(outcome.stdout.text).not.toContain("a secret");
    },
  },

  "lets no command dial whose egress is denied": {
    unless: ({ enforces: { egress } }) =>
      egress === "none" || egress === "advisory" ? `enforces.egress is ${egress}` : undefined,
    prove: async (subject) => {
      expect(await dialed(subject, "deny")).toBe(0);
      expect(await dialed(subject, "allow")).toBe(1);
    },
  },
};
