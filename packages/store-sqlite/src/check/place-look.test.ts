import { writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { freshPath } from "../store.test-support.js";
import { placeFaults } from "./place-look.js";

const onNfs = { typeOf: async () => 0x6969 };

it("names a file system on which locks cannot be relied on, unless that was allowed", async () => {
  const path = freshPath();
  writeFileSync(path, "something");

  expect(await placeFaults({ path, readonly: true, allowNetworkFilesystem: false }, onNfs)).toEqual([
    { what: expect.stringMatching(/^It lies on NFS, /), isEnd: false },
  ]);
  expect(await placeFaults({ path, readonly: true, allowNetworkFilesystem: true }, onNfs)).toEqual([]);
});
