import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { preparePlace } from "./filesystem.js";
import { freshPath } from "./store.test-support.js";

const nfs = async () => 0x6969;
const ext4 = 0xef53;

it("refuses a file system on which locks cannot be relied on, by name, before it creates the file", async () => {
  const path = freshPath();

  await expect(preparePlace(path, { allowNetworkFilesystem: false, typeOf: nfs })).rejects.toMatchObject({
    code: "store-failed",
    kind: "other",
    message: expect.stringMatching(/NFS.*allowNetworkFilesystem/s),
  });
  expect(existsSync(path)).toBe(false);
});

it("asks about the folder that will hold the file", async () => {
  const path = join(dirname(freshPath()), "deeper", "runs.db");
  const asked: string[] = [];

  await preparePlace(path, {
    allowNetworkFilesystem: false,
    typeOf: async (folder) => {
      asked.push(folder);
      return ext4;
    },
  });

  expect(asked).toEqual([dirname(path)]);
  expect(existsSync(path)).toBe(true);
});

it("goes there when told to, and where the system does not say what it is", async () => {
  for (const options of [
    { allowNetworkFilesystem: true, typeOf: nfs },
    { allowNetworkFilesystem: false, typeOf: async () => undefined },
  ]) {
    const path = freshPath();
    await preparePlace(path, options);
    expect(existsSync(path)).toBe(true);
  }
});
