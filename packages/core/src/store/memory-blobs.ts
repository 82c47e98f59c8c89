// Blobs in memory. Bytes are copied on the way in and on the way out: a caller may reuse what it handed over.
import { type BlobStore, type Digest, sha256 } from "@harness/spec";

export function memoryBlobs(): BlobStore {
  const kept = new Map<Digest, Uint8Array>();
  return {
    async put(bytes) {
      const digest = sha256(bytes);
      if (!kept.has(digest)) kept.set(digest, new Uint8Array(bytes));
      return digest;
    },
    get: async (digest) => kept.get(digest)?.slice(),
    delete: async (digest) => void kept.delete(digest),
  };
}
