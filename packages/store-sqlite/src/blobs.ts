// Bytes named by what they are. The same bytes twice are one row; how often they were put is noted beside it, because whoever
// put them is about to name them, and until then nobody else may take them for bytes that no event needs.
import { type BlobStore, type Digest, sha256 } from "@harness/spec";
import type { Handle } from "./handle.js";
import type { Transaction } from "./transaction.js";

const insert = "insert into blobs (digest, bytes) values (?, ?) on conflict (digest) do nothing";
const select = "select bytes from blobs where digest = ?";
const note =
  "insert into blob_puts (digest, times, last_at) values (?, 1, ?) " +
  "on conflict (digest) do update set times = times + 1, last_at = excluded.last_at";
const remove = "delete from blobs where digest = ?";
const forget = "delete from blob_puts where digest = ?";

export function sqliteBlobs({ look, write }: Pick<Handle, "look" | "write">): BlobStore {
  return {
    async put(bytes) {
      const digest = sha256(bytes);
      // Copied: the write happens later in this turn, and the caller may reuse its array meanwhile.
      const copy = new Uint8Array(bytes);
      await write({ attempt: `put blob ${digest}`, rows: 1, work: (tx) => putBlob(tx, digest, copy) });
      return digest;
    },
    get: (digest) =>
      look(`get blob ${digest}`, ({ statement }) => {
        const row = statement(select).get(digest) as { readonly bytes: Uint8Array } | undefined;
        return row && plain(row.bytes);
      }),
    async delete(digest) {
      await write({ attempt: `delete blob ${digest}`, rows: 1, work: (tx) => deleteBlob(tx, digest) });
    },
  };
}

function putBlob(tx: Transaction, digest: Digest, bytes: Uint8Array): void {
  tx.statement(insert).run(digest, bytes);
  tx.statement(note).run(digest, tx.now());
}

function deleteBlob(tx: Transaction, digest: Digest): void {
  tx.statement(remove).run(digest);
  tx.statement(forget).run(digest);
}

/** Without the driver's own kind of array. */
function plain({ buffer, byteOffset, byteLength }: Uint8Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
