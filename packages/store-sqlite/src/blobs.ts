// Bytes named by what they are. The same bytes twice are one row.
import { type BlobStore, sha256 } from "@harness/spec";
import type { Handle } from "./handle.js";

const insert = "insert into blobs (digest, bytes) values (?, ?) on conflict (digest) do nothing";
const select = "select bytes from blobs where digest = ?";
const remove = "delete from blobs where digest = ?";

export function sqliteBlobs({ look, write }: Pick<Handle, "look" | "write">): BlobStore {
  return {
    async put(bytes) {
      const digest = sha256(bytes);
      // Copied: the write happens later in this turn, and the caller may reuse its array meanwhile.
      const copy = new Uint8Array(bytes);
      await write({ attempt: `put blob ${digest}`, rows: 1, work: (tx) => tx.statement(insert).run(digest, copy) });
      return digest;
    },
    get: (digest) =>
      look(`get blob ${digest}`, ({ statement }) => {
        const row = statement(select).get(digest) as { readonly bytes: Uint8Array } | undefined;
        return row && plain(row.bytes);
      }),
    async delete(digest) {
      await write({ attempt: `delete blob ${digest}`, rows: 1, work: (tx) => tx.statement(remove).run(digest) });
    },
  };
}

/** Without the driver's own kind of array. */
function plain({ buffer, byteOffset, byteLength }: Uint8Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
