// Folders for databases. They are made beside this app and not in the system's temporary folder, which may be kept in memory,
// where a sync costs nothing.
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { appFolder } from "./places.js";

const parent = join(appFolder, "node_modules", ".cache");

/** Calls `work` with a new folder and removes the folder afterwards. */
export async function inScratch<Value>(work: (folder: string) => Promise<Value>): Promise<Value> {
  await mkdir(parent, { recursive: true });
  const folder = await mkdtemp(join(parent, "bench-"));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
