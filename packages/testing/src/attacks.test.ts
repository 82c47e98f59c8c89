// Do the attacks see what they are there to see? A sandbox that claims everything and holds nothing is found out by each of them,
// one that runs nothing does not pass for a strong one, and whatever happens nothing is left behind.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import type { Enforcement, Sandbox, SandboxCommand, SandboxOutcome } from "@harness/spec";
import { afterAll, describe, expect, it } from "vitest";
import { unfit } from "./attacks/attack-folder.js";
import { wrongIn } from "./attacks/declarations.js";
import { sharedFolders } from "./attacks/scene.js";
import { type Trial, tryAttack } from "./attacks/try-attack.js";
import { type AttackResult, attackFolder, attacks, falseDeclarations, runAttacks } from "./attacks.js";

const everything: Enforcement = {
  ...{ writes: true, reads: true, egress: "host", wall: true, output: true, cpu: "tree", memory: "kernel" },
  ...{ metadata: true, protectedPaths: true, unixSockets: true, otherProcesses: true, kernel: true, privateTemp: true },
  ...{ processes: true, openFiles: true, fileSize: true, temp: true, treeKill: "kernel" },
};
const nothing: Enforcement = {
  ...{ writes: false, reads: false, egress: "none", wall: true, output: true, cpu: "none", memory: "none" },
  ...{ metadata: false, protectedPaths: false, unixSockets: false, otherProcesses: false, kernel: false },
  ...{ privateTemp: false, processes: false, openFiles: false, fileSize: false, temp: false, treeKill: "none" },
};

const folder = join(attackFolder(), `test-${process.pid}`);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Answer = (command: SandboxCommand) => Promise<Partial<SandboxOutcome>>;

function played(enforces: Enforcement, answer: Answer): Sandbox {
  const captured = { text: "", elidedBytes: 0 };
  const facts = { backend: "played", exitCode: 0, signal: null, capHit: null, stopped: null, wallMs: 0 };
  return {
    spec: 1,
    backend: "played",
    enforces,
    run: async (command) => ({
      ...facts,
      argv: command.argv,
      stdout: captured,
      stderr: captured,
      ...(await answer(command)),
    }),
    spawn: () => Promise.reject(new Error("Attacks are commands that end.")),
  };
}

/** Runs the command as it is: its input stays open, and so does a file of this process. */
const spawnPlainly: Answer = async ({ argv, cwd, env, timeoutMs, signal }) => {
  signal?.throwIfAborted();
  const file = openSync("/etc/passwd", "r");
  const variables = { PATH: process.env.PATH, ...env };
  const child = spawn(argv[0], argv.slice(1), { cwd, env: variables, stdio: ["pipe", "pipe", "ignore", file] });
  closeSync(file);
  let text = "";
  child.stdout?.on("data", (chunk) => {
    if (text.length < 2 ** 20) text += chunk;
  });
  const kill = () => {
    child.kill("SIGKILL");
    child.stdin?.destroy();
  };
  const late = setTimeout(kill, timeoutMs);
  signal?.addEventListener("abort", kill);
  await once(child, "close");
  clearTimeout(late);
  return { exitCode: child.exitCode, stdout: { text, elidedBytes: 0 } };
};

async function resultsOf(sandbox: Sandbox, only: readonly string[]): Promise<readonly AttackResult[]> {
  const results: AttackResult[] = [];
  for await (const result of runAttacks(sandbox, { folder, only })) results.push(result);
  return results;
}

function leftOvers(): readonly string[] {
  const shared = sharedFolders.filter((place) => existsSync(place)).flatMap((place) => readdirSync(place));
  return [
    ...(existsSync(folder) ? readdirSync(folder) : []),
    ...shared.filter((name) => /^atk[0-9a-f]{12}$/.test(name)),
  ];
}

describe("the attacks", () => {
  it("have ids of their own, and each says what it depends on", () => {
    const ids = attacks.map(({ id }) => id);

    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^[a-z]+(-[a-z]+)*$/.test(id))).toEqual([]);
    expect(attacks.filter((one) => !one.isStoppedBy(everything))).toEqual([]);
    expect(attacks.filter((one) => one.isStoppedBy(nothing)).map(({ id }) => id)).toEqual([
      "use-terminal",
      "use-inherited-descriptors",
      "flood-output",
    ]);
  });

  it("are staged in the user's cache, never below the temporary folder", () => {
    expect(attackFolder({})).toBe(join(homedir(), ".cache", "harness-attacks"));
    expect(attackFolder({ XDG_CACHE_HOME: "/elsewhere" })).toBe(join("/elsewhere", "harness-attacks"));
    expect(attackFolder({ XDG_CACHE_HOME: "relative" })).toBe(attackFolder({}));
    expect(unfit(join(tmpdir(), "a"))).toMatch(/lies below the temporary folder/);
    expect(unfit("/tmpfiles")).toBeUndefined();
  });

  it("do not begin in a folder below the temporary one", async () => {
    await expect(
      runAttacks(played(nothing, spawnPlainly), { folder: tmpdir() })[Symbol.asyncIterator]().next(),
    ).rejects.toThrow(/Attacks cannot be staged/);
  });
});

it("runs no attack that there is not", async () => {
  await expect(resultsOf(played(nothing, spawnPlainly), ["write-outsied"])).rejects.toThrow(
    /no attack "write-outsied"/,
  );
});

describe.skipIf(process.platform === "win32")(
  "a sandbox that claims everything and holds nothing [needs POSIX]",
  () => {
    const trial: Trial = { sandbox: played(everything, spawnPlainly), folder };
    for (const one of attacks) {
      const kind = one.isHeavy ? it : it.concurrent;
      kind(`is found out by ${one.id}`, { timeout: 60_000 }, async ({ skip }) => {
        const result = await tryAttack(one, trial);
        if (result.result === "not-tried") return skip(result.evidence);

        expect(result).toMatchObject({ expected: "stopped", result: "succeeded" });
        expect(wrongIn(result)).toContain(one.id);
      });
    }
  },
);

describe.skipIf(process.platform === "win32")("running the attacks [needs POSIX]", () => {
  const few = ["work", "write-outside", "signal-processes", "plant-in-temporary-folder", "hoard-memory"];

  it("finds nothing wrong with a sandbox that holds nothing and says so, and leaves nothing behind", async () => {
    const results = await resultsOf(played(nothing, spawnPlainly), few);

    expect(results.map(({ id, expected, result }) => [id, expected, result])).toEqual(
      few.map((id) => [id, "succeeded", "succeeded"]),
    );
    expect(falseDeclarations(results)).toEqual([]);
    expect(leftOvers()).toEqual([]);
  });

  it("does not take a command that did not run for one that was stopped", async () => {
    const broken = played(everything, async () => ({
      exitCode: 1,
      stderr: { text: "no such wrapper\n", elidedBytes: 0 },
    }));
    const results = await resultsOf(broken, ["write-outside", "hoard-memory", "use-terminal", "read-hidden-key"]);

    expect(results.map(({ result }) => result)).toEqual(["failed", "failed", "failed", "failed"]);
    expect(falseDeclarations(results)).toEqual([
      "Nothing can be said of 4 attacks: Commands do not run in it: no such wrapper.",
    ]);
  });

  it("says that a field is too modest when nothing that it lets through gets through", async () => {
    const swallowing = played({ ...nothing, memory: "kernel" }, async ({ argv, ...command }) => {
      const isQuestion = argv[2]?.includes("ALL-ASKED");
      return spawnPlainly({ ...command, argv: isQuestion ? argv : ["sh", "-c", "echo LINE-BEGINS; echo LINE-ENDS"] });
    });
    const results = await resultsOf(swallowing, ["write-outside", "write-through-symlink", "hoard-memory"]);

    expect(falseDeclarations(results)).toEqual([
      "enforces.writes says that less is held than is: write-outside, write-through-symlink got nowhere.",
    ]);
  });

  it("asks for a sandbox of each scene's own and closes it", async () => {
    const seen: string[] = [];
    const source = async ({ workspace }: { workspace: string }): Promise<Sandbox> => ({
      ...played(nothing, spawnPlainly),
      close: async () => void seen.push(readFileSync(join(workspace, ".git", "HEAD"), "utf8")),
    });
    for await (const _ of runAttacks(source, { folder, only: ["write-outside", "plant-git-hook"] }));

    expect(seen).toEqual(Array(2).fill("ref: refs/heads/main\n"));
  });

  it("stops when it is told to, with the reason, and leaves nothing behind", async () => {
    const stop = new AbortController();
    const hanging = played(nothing, async (command) => {
      if (command.argv[2]?.includes("ALL-ASKED")) return spawnPlainly(command);
      stop.abort(new Error("enough"));
      return spawnPlainly({ ...command, argv: ["sh", "-c", "exec sleep 60"] });
    });
    const results = runAttacks(hanging, { folder, signal: stop.signal })[Symbol.asyncIterator]();

    await expect(results.next()).rejects.toThrow("enough");
    expect(leftOvers()).toEqual([]);
  });

  it("leaves nothing behind when its reader has seen enough", async () => {
    for await (const { id } of runAttacks(played(nothing, spawnPlainly), { folder })) {
      expect(id).toBe("work");
      break;
    }

    expect(leftOvers()).toEqual([]);
  });
});
