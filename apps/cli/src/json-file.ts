// JSON that a person wrote into a file, named on the command line.
import { readFile } from "node:fs/promises";
import { ConfigError } from "@harness/spec";

/** Reads and parses `path`; `what` names it in errors: `contract`. Throws `ConfigError` when it cannot. */
export async function readJsonFile(path: string, what: string): Promise<unknown> {
  const text = await readFile(path, "utf8").catch((cause: { readonly code?: unknown; readonly message?: string }) => {
    const reason = cause.code === "ENOENT" ? "there is no such file" : (cause.message ?? "it cannot be opened");
    throw new ConfigError(`Could not read the ${what} ${path}: ${reason}.`, { cause });
  });
  try {
    return JSON.parse(text.replace(/^\ufeff/, ""));
  } catch (cause) {
    throw new ConfigError(`The ${what} ${path} is not JSON: ${(cause as Error).message}.`, { cause });
  }
}
