import { closeSync, existsSync, readFileSync, readlinkSync } from "node:fs";
import { dirname } from "node:path";
import { expect, it } from "vitest";
import { unnamedFile } from "./unnamed-file.js";

it.skipIf(process.platform !== "linux")(
  "is read whole by everyone who opens it, and by nobody by a name [on Linux]",
  () => {
    const file = unnamedFile(new Uint8Array([1, 2, 3]));
    const readers = [file.open(), file.open()];

    for (const reader of readers) expect([...readFileSync(reader)]).toEqual([1, 2, 3]);
    expect(readlinkSync(`/proc/self/fd/${readers[0]}`)).toMatch(/ \(deleted\)$/);
    expect(existsSync(dirname(readlinkSync(`/proc/self/fd/${readers[0]}`)))).toBe(false);
    for (const reader of readers) closeSync(reader);
    file.close();
    file.close();
  },
);
