import { library } from "../../scripts/tsup.mjs";

// The worker that searches is a program of its own, started from its file; neither shares a file with the other.
export default {
  ...library({ index: "src/index.ts", "search-worker": "src/search/search-worker.ts" }),
  splitting: false,
  // Nothing that a package does on import is wanted of it alone.
  treeshake: { moduleSideEffects: "no-external" },
};
