// Boundaries that a sandbox may have. Each attempt is made, and then the world is looked at: an exit status proves nothing.
// Beside each stands what must still work, so that a command that did not run at all does not pass for a confined one.
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect } from "vitest";
import { node } from "./payloads.js";
import type { Case, Cases, Subject } from "./subject.js";

const write = (...paths: string[]) =>
  node(
    `for (const path of process.argv.slice(1)) try { require("fs").writeFileSync(path, "written") } catch (error) { console.log(error.code) }`,
    ...paths,
  );

async function textOf(path: string): Promise<string | null> {
  return readFile(path, "utf8").catch(() => null);
}

const needsWrites: Case["unless"] = ({ enforces }) => (enforces.writes ? undefined : "enforces.writes is false");

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
      await run(write(join(folder, "made"), join(root, "made"), other), { writableRoots: [root] });

      expect(await textOf(join(folder, "made"))).toBe("written");
      expect(await textOf(join(root, "made"))).toBe("written");
      expect(await textOf(other)).toBeNull();
    },
  },

  "lets a read-only command write nowhere": {
    unless: needsWrites,
    prove: async ({ run, folder, outside }) => {
      await writeFile(join(folder, "kept"), "as it was");
      const outcome = await run(write(join(folder, "kept"), join(folder, "made"), join(outside, "made")), {
        mode: "read-only",
      });

      expect(outcome.exitCode).toBe(0);
      expect(await textOf(join(folder, "kept"))).toBe("as it was");
      expect(await textOf(join(folder, "made"))).toBeNull();
      expect(await textOf(join(outside, "made"))).toBeNull();
    },
  },

  "keeps protected paths as they are inside a folder that may be written": {
    unless: needsWrites,
    prove: async ({ run, folder }) => {
      await writeFile(join(folder, "protected"), "as it was");
      await run(write(join(folder, "protected"), join(folder, "made")), {
        protectedPaths: [join(folder, "protected")],
      });

      expect(await textOf(join(folder, "protected"))).toBe("as it was");
      expect(await textOf(join(folder, "made"))).toBe("written");
    },
  },

  "does not show hidden paths": {
    unless: ({ enforces }) => (enforces.reads ? undefined : "enforces.reads is false"),
    prove: async ({ run, folder, outside }) => {
      await writeFile(join(outside, "hidden"), "a secret");
      await writeFile(join(folder, "shown"), "no secret");
      const read = `for (const path of process.argv.slice(1)) try { console.log(require("fs").readFileSync(path, "utf8")) } catch {}`;
      const outcome = await run(node(read, join(outside, "hidden"), join(folder, "shown")), { hiddenPaths: [outside] });

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
