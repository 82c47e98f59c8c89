// Whether every blob is what its name says.
import { type Digest, sha256 } from "@harness/spec";
import { type Fault, isDamage, wordsOf } from "./fault.js";
import type { Inspection, Look } from "./inspection.js";

const selectNames = "select digest from blobs where digest > ? order by digest limit 200";

export const blobLook: Look = {
  at: "The list of blobs",
  async *faults({ look, store, rest }) {
    for (let after = ""; ; ) {
      const rows = await look("list blobs", ({ statement }) => statement(selectNames).all(after));
      const names = (rows as { readonly digest: Digest }[]).map(({ digest }) => digest);
      for (const name of names) {
        const fault = await blobFault(store, name);
        if (fault) yield fault;
        await rest();
      }
      const last = names.at(-1);
      if (last === undefined) return;
      after = last;
    }
  },
};

async function blobFault({ blobs }: Inspection["store"], name: Digest): Promise<Fault | undefined> {
  try {
    const bytes = await blobs.get(name);
    if (!bytes || sha256(bytes) === name) return undefined;
    return { what: `Blob ${name} is not what its name says: its bytes have the digest ${sha256(bytes)}` };
  } catch (error) {
    if (!isDamage(error)) throw error;
    return { what: `Blob ${name} cannot be read: ${wordsOf(error)}` };
  }
}
