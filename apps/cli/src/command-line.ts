// Commands as they are printed for a person to copy: they must work as they stand, in the place where they are read.
import type { Terminal } from "./process-terminal.js";

/** Where a printed command will be typed. */
export interface CommandPlace {
  /** What stands for the binary there. */
  readonly prefix: string;
  /** Absolute; `undefined` for the store that is used when none is named. */
  readonly storePath: string | undefined;
}

/** The environment variable that says how the binary is called here; without it, by its name. */
const prefixVariable = "HARNESS_COMMAND_PREFIX";

export function commandPlace({ env }: Pick<Terminal, "env">, storePath: string | undefined): CommandPlace {
  return { prefix: env[prefixVariable] || "harness", storePath };
}

/** `harness trace m3k…`, quoted for a shell where that is needed. */
export function commandOf({ prefix, storePath }: CommandPlace, ...words: readonly string[]): string {
  const store = storePath === undefined ? [] : ["--store", storePath];
  return [prefix, ...[...words, ...store].map(quoted)].join(" ");
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
