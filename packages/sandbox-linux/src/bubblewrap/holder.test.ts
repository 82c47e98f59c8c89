// One network for the commands of a sandbox: what one serves, another can ask for, and nobody else.
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import type { Sandbox } from "@harness/spec";
import { describe, expect, it, vi } from "vitest";
import { bubblewrapped, hasBubblewrap, needsBubblewrap } from "../test-bubblewrap.js";
import { testFolder } from "../test-folder.js";

const serving = `require("http").createServer((_, response) => response.end("served")).listen(8080, "127.0.0.1", () => console.log("up"))`;
const asking = `require("http").get("http://127.0.0.1:8080", (response) => response.pipe(process.stdout)).on("error", (error) => console.log(error.code))`;

async function served(sandbox: Sandbox, cwd: string) {
  const server = await sandbox.spawn({ argv: [process.execPath, "-e", serving], cwd });
  let printed = "";
  await vi.waitFor(() => {
    printed += server.take().stdout.text;
    expect(printed).toBe("up\n");
  }, 20_000);
  return server;
}

async function asked(sandbox: Sandbox, cwd: string): Promise<string> {
  return (await sandbox.run({ argv: [process.execPath, "-e", asking], cwd })).stdout.text;
}

/** What bubblewrap started for this process, but for commands: its own children that hold a network. */
function holders(): readonly number[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => {
    try {
      const isOurs = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ")[1] === String(process.pid);
      return isOurs && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("sleep 2147483647");
    } catch {
      return false;
    }
  });
}

const networkOf = async (sandbox: Sandbox, cwd: string) =>
  (await sandbox.run({ argv: ["readlink", "/proc/self/ns/net"], cwd })).stdout.text.trim();

describe.skipIf(!hasBubblewrap)(`the network of a sandbox's commands${needsBubblewrap}`, () => {
  it("lets one command ask what another serves, and no command of another sandbox", async () => {
    using folder = testFolder();
    await using sandbox = await bubblewrapped(folder.path);
    await using other = await bubblewrapped(folder.path);
    const server = await served(sandbox, folder.path);

    expect(await asked(sandbox, folder.path)).toBe("served");
    expect(await asked(other, folder.path)).toBe("ECONNREFUSED\n");
    await server.kill();
    expect(await asked(sandbox, folder.path)).toBe("ECONNREFUSED\n");
  });

  it("is there from the first command that needs it until the sandbox is closed", async () => {
    using folder = testFolder();
    const before = holders();
    const sandbox = await bubblewrapped(folder.path);
    expect(holders()).toEqual(before);
    await sandbox.run({ argv: ["true"], cwd: folder.path, egress: "allow" });
    expect(holders()).toEqual(before);
    const networks = new Set([await networkOf(sandbox, folder.path), await networkOf(sandbox, folder.path)]);
    expect(networks.size).toBe(1);
    expect(networks).not.toContain(readlinkSync("/proc/self/ns/net"));
    expect(holders()).toHaveLength(before.length + 1);
    await Promise.all([sandbox.close?.(), sandbox.close?.()]);

    await vi.waitFor(() => expect(holders()).toEqual(before));
  });

  it("is started once for commands that start together", async () => {
    using folder = testFolder();
    await using sandbox = await bubblewrapped(folder.path);
    const all = await Promise.all([1, 2, 3, 4].map(() => networkOf(sandbox, folder.path)));

    expect(new Set(all).size).toBe(1);
  });

  it("is made anew when its process has died, which no command can bring about", async () => {
    using folder = testFolder();
    await using sandbox = await bubblewrapped(folder.path);
    const before = holders();
    const first = await networkOf(sandbox, folder.path);
    const [holder] = holders().filter((pid) => !before.includes(pid));
    const attack = `kill -9 -1; for p in ${holder} $(seq 2 99); do kill -9 $p; done`;
    await sandbox.run({ argv: ["sh", "-c", attack], cwd: folder.path });
    expect(await networkOf(sandbox, folder.path)).toBe(first);

    process.kill(holder as number, "SIGKILL");
    await vi.waitFor(() => expect(holders()).toEqual(before));
    const later = await sandbox.run({ argv: ["cat", "/proc/net/dev"], cwd: folder.path });

    expect(later.stdout.text.match(/^\s*\w+(?=:)/gm)?.map((name) => name.trim())).toEqual(["lo"]);
    expect(holders()).toHaveLength(before.length + 1);
  });
});
