// What the cases of several caps share: payloads that use more and more of something, within bounds that do no harm where a
// cap does not hold.
import { untilRemoved } from "./payloads.js";

export const mebibyte = 1024 * 1024;

/** For a command that a broken cap would let run for ever. */
export const patient = { timeoutMs: 60_000 };

/** Node source: uses a processor, until its working folder is removed. */
export const burn = `while (require("fs").existsSync(process.cwd()));`;

/** Node source: takes `mebibytes`, a few at a time, and keeps them. */
export function hoard(mebibytes: number): string {
  const more = `all.length < ${mebibytes / 4} && all.push(Buffer.alloc(${4 * mebibyte}, 1))`;
  return `const all = []; setInterval(() => ${more}, 5); ${untilRemoved}`;
}

/** Node source, for a named pipe in \`process.argv[1]\`: holds it open, so that the suite sees whether this process lives. */
export const report = `
  const { openSync, writeSync, constants } = require("node:fs");
  writeSync(openSync(process.argv[1], constants.O_WRONLY | constants.O_NONBLOCK), "x");
`;
