// Blobs that no event names. Bytes are put before the event that names them; only when that has not come for a while were they
// put for something that was never recorded. A damaged event may be the one that names them, so where there is one nobody asks.
import { formatVersion } from "../schema.js";
import { dropStrayBlobs, strayBlobs } from "../upkeep/blob-names.js";
import type { Look } from "./inspection.js";

const selectNow = "select cast(unixepoch('subsec') * 1000 as integer) as now";

export const strayLook: Look = {
  at: "The list of blobs",
  async *faults({ look }) {
    const { digests, bytes } = await look("look for blobs without an event", ({ format, statement }) => {
      // A file of a former format does not say when its blobs were put.
      if (format < formatVersion) return { digests: [], bytes: 0 };
      const { now } = statement(selectNow).get() as { readonly now: number };
      return strayBlobs(statement, now);
    });
    const count = digests.length;
    if (count === 1) yield { what: `A blob is named by no event (${bytes} bytes)`, remedy: removal("it was removed") };
    if (count > 1)
      yield { what: `${count} blobs are named by no event (${bytes} bytes)`, remedy: removal("they were removed") };
  },
};

const removal = (done: string) => ({ done, work: dropStrayBlobs });
