// Files that are there whole or not at all, whatever crashes: written beside, synced, and then given their name, which only one
// can be the first to do.
import { link, open, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";

const isCode = (error: unknown, code: string) => (error as { code?: unknown }).code === code;

/** False when there is a file of that name already, which is left as it is. */
export async function createWhole(folder: string, name: string, bytes: Uint8Array, part: string): Promise<boolean> {
  const beside = join(folder, `${part}.part`);
  const file = await open(beside, "wx", 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
  try {
    await link(beside, join(folder, name));
    await syncFolder(folder);
    return true;
  } catch (error) {
    if (isCode(error, "EEXIST")) return false;
    throw error;
  } finally {
    await rm(beside);
  }
}

/** A name is durable once its folder is. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export async function readWhole(folder: string, name: string): Promise<Uint8Array | undefined> {
  try {
    const { buffer, byteOffset, byteLength } = await readFile(join(folder, name));
    return new Uint8Array(buffer, byteOffset, byteLength);
  } catch (error) {
    if (isCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

/** The names in `folder`, without those of files that were never finished. */
export async function wholeNames(folder: string): Promise<readonly string[]> {
  return (await readdir(folder)).filter((name) => !name.endsWith(".part"));
}
