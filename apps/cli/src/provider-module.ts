// Where a provider comes from: an ES module that exports one by the name `provider`. What is recorded in the run's labels is
// enough for any later process to find the same module, from whatever folder it is started in.
import { stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { isAbsolute, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { ConfigError, isHarnessError, type Provider } from "@harness/spec";

/** The label under which a run keeps where its provider came from. */
export const providerLabel = "provider";

/**
 * What to import for `given`: the URL of a file, or a package's name. A file (relative to `cwd`, or a `file:` URL) wins over a
 * package of the same name. Throws `ConfigError` for a path without a file.
 */
export async function locateProvider(given: string, cwd: string): Promise<string> {
  const path = given.startsWith("file:") ? fileURLToPath(given) : resolve(cwd, given);
  if (await isFile(path)) return pathToFileURL(path).href;
  if (/^(\.{1,2}[\\/]|file:)/.test(given) || isAbsolute(given)) {
    throw new ConfigError(`There is no provider module at ${path}. Check what --provider names.`);
  }
  return installedIn(cwd, given) ?? given;
}

/** Imports `specifier` and takes the provider out. Throws `ConfigError` when there is none to be had. */
export async function loadProvider(specifier: string): Promise<Provider> {
  const module = await importModule(specifier);
  const { provider } = module;
  if (provider === undefined) {
    throw new ConfigError(`The module ${specifier} exports no \`provider\`. Export one by that name.`);
  }
  if (typeof (provider as Partial<Provider> | null)?.complete !== "function") {
    throw new ConfigError(
      `What the module ${specifier} exports as \`provider\` is not one: it has no method \`complete\`.`,
    );
  }
  return provider as Provider;
}

async function importModule(specifier: string): Promise<{ readonly provider?: unknown }> {
  try {
    return await import(specifier);
  } catch (cause) {
    // A provider that lacks its key says so itself.
    const reason = cause instanceof Error ? cause.message : String(cause);
    const advice = isHarnessError(cause) ? "" : " Check what --provider names.";
    throw new ConfigError(`Could not load the provider module ${specifier}: ${reason.replace(/\.$/, "")}.${advice}`, {
      cause,
    });
  }
}

/** A package of the project in `folder`. Where it is none, the name is left to be found beside this program. */
function installedIn(folder: string, name: string): string | undefined {
  try {
    return pathToFileURL(createRequire(join(folder, "index.js")).resolve(name)).href;
  } catch {
    return undefined;
  }
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}
