// The command line: `[--quick] [--only <name>]… [--strict] [results.json]`.

import { join } from "node:path";
import { parseArgs } from "node:util";
import { appFolder } from "./places.js";

export interface Options {
  /** Fewer samples: a look, not a figure to quote. */
  readonly isQuick: boolean;
  /** Exit with 1 when a target is missed. */
  readonly isStrict: boolean;
  /** Names of measures; empty for all. */
  readonly only: readonly string[];
  /** Where the JSON goes. */
  readonly file: string;
}

const defaultFile = join(appFolder, "results.json");

/** Reads the arguments. Throws `TypeError` for an option there is not, or a measure that is not among `known`. */
export function parseOptions(args: readonly string[], known: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      quick: { type: "boolean", default: false },
      strict: { type: "boolean", default: false },
      only: { type: "string", multiple: true, default: [] },
    },
  });
  const [file = defaultFile, ...more] = positionals;
  if (more.length > 0) throw new TypeError(`One file can be written, and ${positionals.length} were named.`);
  for (const name of values.only) {
    if (!known.includes(name)) throw new TypeError(`There is no measure "${name}". Measures: ${known.join(", ")}.`);
  }
  return { isQuick: values.quick, isStrict: values.strict, only: values.only, file };
}
