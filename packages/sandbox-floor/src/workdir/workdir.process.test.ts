// Working folders of real processes: one that is killed, one that exits, one that goes on.

import { once } from "node:events";
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { workdir } from "../index.js";
import { end, isBuilt, otherProcess, testPlace } from "./test-support.js";

const making = `
  import { mkdirSync, writeFileSync } from "node:fs";
  const folder = await workdir({ parent });
  mkdirSync(folder.path + "/a"); writeFileSync(folder.path + "/a/file", "");
  process.stdin.on("end", () => process.exit(0)).resume();
  console.log(folder.path);
`;

describe.skipIf(!isBuilt)("a process with a working folder [needs dist/: run `npx tsup` in this package]", () => {
  it("takes the folder with it when it exits", async () => {
    await using place = await testPlace();
    const { child, printed } = await otherProcess(making, place.parent);
    expect(existsSync(printed)).toBe(true);
    await end(child);

    expect(await readdir(place.parent)).toEqual([]);
  });

  it("leaves it to the next one when it is killed, and nobody touches it while it lives", async () => {
    await using place = await testPlace();
    const killed = await otherProcess(making, place.parent);
    const living = await otherProcess(making, place.parent);
    await using first = await workdir({ parent: place.parent });
    expect([killed.printed, living.printed, first.path].every(existsSync)).toBe(true);
    killed.child.kill("SIGKILL");
    await once(killed.child, "close");
    expect(existsSync(killed.printed)).toBe(true);
    await using second = await workdir({ parent: place.parent });

    expect(existsSync(killed.printed)).toBe(false);
    expect([living.printed, first.path, second.path].every(existsSync)).toBe(true);
    await end(living.child);
  });
});
