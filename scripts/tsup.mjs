// One build setting for every package: JavaScript by tsup, declarations by `tsc -b` into types/.
// The two write to different folders, so neither can delete or cache the other's output.
import { defineConfig } from "tsup";

/** A published library: ESM for the lowest Node line we support. */
export function library(entry) {
  return defineConfig({
    entry,
    format: ["esm"],
    target: "node20",
    platform: "node",
    sourcemap: true,
    clean: true,
    treeshake: true,
    silent: true,
  });
}
