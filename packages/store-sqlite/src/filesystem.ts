// Where a store may lie. SQLite's log needs shared memory and locks that work; over a network they do not, and a file that two
// machines write to is destroyed without a word. So such file systems are refused by name before the file is made.
import { mkdir, open, statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { StoreError } from "@harness/spec";

/** Linux's numbers for file systems that cannot be relied on (statfs(2)). */
const unsafe: ReadonlyMap<number, string> = new Map([
  [0x6969, "NFS"],
  [0x517b, "SMB"],
  [0xfe534d42, "SMB2"],
  [0xff534d42, "CIFS"],
  [0x01021997, "9p"],
  [0x65735546, "FUSE"],
  [0x5346414f, "AFS"],
  [0x00c36400, "Ceph"],
  [0x0bd00bd0, "Lustre"],
]);

export interface PlaceOptions {
  readonly allowNetworkFilesystem: boolean;
  /** The type of the file system that holds a folder; `undefined` where the system does not say. */
  readonly typeOf?: (folder: string) => Promise<number | undefined>;
}

/** Makes the folder (mode 0700) and an empty file (mode 0600) where there is none. */
export async function preparePlace(path: string, { allowNetworkFilesystem, typeOf }: PlaceOptions) {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const name = await unsafeFileSystem(folder, typeOf);
  if (name !== undefined && !allowNetworkFilesystem) {
    throw new StoreError(
      "other",
      `Could not open the store ${path}: it would lie on ${name}, where SQLite's locks cannot be relied on and a second ` +
        "machine can destroy the file. Choose a folder on a local disk, or pass `allowNetworkFilesystem: true` if no other " +
        "machine has it mounted.",
    );
  }
  // SQLite gives the files beside it the mode of this one.
  await open(path, "ax", 0o600).then(
    (file) => file.close(),
    (error: { code?: unknown }) => {
      if (error.code !== "EEXIST") throw error;
    },
  );
}

/** The name of the file system that holds `folder`, where a store must not lie on it. */
export async function unsafeFileSystem(
  folder: string,
  typeOf: NonNullable<PlaceOptions["typeOf"]> = fileSystemType,
): Promise<string | undefined> {
  return unsafe.get((await typeOf(folder)) ?? 0);
}

async function fileSystemType(folder: string): Promise<number | undefined> {
  if (process.platform !== "linux") return undefined;
  const { type } = await statfs(folder);
  return type >>> 0;
}
