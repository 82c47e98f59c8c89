// Loaded before a program (`node --import`): the first rename onto `HANG_NAME` never ends, before it has happened or after, by
// `HANG_WHEN`. That it has come so far is told by the file `HANG_MARKER`.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { basename } from "node:path";

const { HANG_NAME, HANG_WHEN, HANG_MARKER } = process.env;
const { rename } = fs.promises;

fs.promises.rename = async (from, to) => {
  if (basename(to) !== HANG_NAME) return rename(from, to);
  if (HANG_WHEN === "after") await rename(from, to);
  fs.writeFileSync(HANG_MARKER, "");
  return new Promise(() => setInterval(() => {}, 60_000));
};
syncBuiltinESMExports();
