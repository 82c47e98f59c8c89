// That capturing costs no more memory for more output, and no descriptors for more commands.
import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { describe, expect, it } from "vitest";
import { floor } from "./index.js";

const cwd = tmpdir();
const mebibyte = 1024 * 1024;

/** The most by which this process grows while `work` runs. */
async function growth(work: () => Promise<unknown>): Promise<number> {
  const used = () => process.memoryUsage.rss();
  const before = used();
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, used());
  }, 5);
  await work();
  clearInterval(timer);
  return Math.max(most, used()) - before;
}

describe.skipIf(process.platform === "win32")("a flood [its payloads need sh]", () => {
  it("of 1 GiB takes no more memory than one of a little", { timeout: 120_000 }, async () => {
    const sandbox = floor();
    const flood = (bytes: number) => sandbox.run({ argv: ["sh", "-c", `head -c ${bytes} /dev/zero`], cwd });
    await flood(16 * mebibyte);
    let elidedBytes = 0;
    const grown = await growth(async () => {
      ({ elidedBytes } = (await flood(1024 * mebibyte)).stdout);
    });

    expect(elidedBytes).toBe(1022 * mebibyte);
    expect(grown).toBeLessThan(64 * mebibyte);
  });
});

describe.skipIf(process.platform !== "linux")("1,000 commands [descriptors are counted in /proc]", () => {
  it("leave as many descriptors as there were", { timeout: 120_000 }, async () => {
    const sandbox = floor();
    const open = () => readdirSync("/proc/self/fd").length;
    const limits = { maxOpenFiles: 100 };
    const batch = () =>
      Promise.all(
        Array.from({ length: 25 }, (_, nth) => sandbox.run({ argv: ["true"], cwd, ...(nth % 5 === 0 && { limits }) })),
      );
    await batch();
    const before = open();
    for (let round = 0; round < 40; round += 1) await batch();

    expect(open()).toBeLessThanOrEqual(before);
  });
});
