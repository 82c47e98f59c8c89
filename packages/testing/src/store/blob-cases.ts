// Promises of `blobs`: bytes named by what they are.
import { type Digest, sha256 } from "@harness/spec";
import { expect } from "vitest";
import type { Case } from "./subject.js";

const everyByte = Uint8Array.from({ length: 256 }, (_, byte) => byte);

export const blobCases: Readonly<Record<string, Case>> = {
  "names bytes by their digest and gives them back": async ({ store }) => {
    const large = new Uint8Array(2 ** 20).fill(7);

    for (const bytes of [everyByte, new Uint8Array(0), large]) {
      const digest = await store.blobs.put(bytes);
      const kept = await store.blobs.get(digest);

      expect(digest).toBe(sha256(bytes));
      expect(kept).toBeInstanceOf(Uint8Array);
      expect(sha256(kept ?? "nothing")).toBe(digest);
    }
  },

  "keeps the same bytes once, so that one delete removes them": async ({ store }) => {
    const [one, two] = await Promise.all([store.blobs.put(everyByte), store.blobs.put(everyByte.slice())]);

    await store.blobs.delete(one);

    expect(two).toBe(one);
    expect(await store.blobs.get(two)).toBeUndefined();
  },

  "keeps bytes as they were when they were put": async ({ store }) => {
    // A Buffer is a Uint8Array whose slices are no copies.
    for (const bytes of [everyByte.slice(), Buffer.from(everyByte)]) {
      const pending = store.blobs.put(bytes);
      bytes.fill(0);

      expect(await store.blobs.get(await pending)).toEqual(everyByte);
      await store.blobs.delete(await pending);
    }
  },

  "knows nothing of an unknown name": async ({ store }) => {
    expect(await store.blobs.get(sha256("never put"))).toBeUndefined();
    expect(await store.blobs.get("not a digest" as Digest)).toBeUndefined();
  },

  "deletes an unknown name without an error": async ({ store }) => {
    await expect(store.blobs.delete(sha256("never put"))).resolves.toBeUndefined();
  },

  "takes bytes again that were deleted": async ({ store }) => {
    await store.blobs.delete(await store.blobs.put(everyByte));

    expect(await store.blobs.get(await store.blobs.put(everyByte))).toEqual(everyByte);
  },
};
