// A home and a workspace of a test's own, with short words for putting things in them and for asking what the places are.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import type { SandboxCommand } from "@harness/spec";
import type { Places, PlacesOptions } from "./places.js";
import { placesOf } from "./places-of.js";

export interface Ground extends Disposable {
  readonly base: string;
  readonly home: string;
  readonly workspace: string;
  /** Paths are relative to `base`; folders above are made. All return the absolute path. */
  at(path: string): string;
  file(path: string, text?: string): string;
  folder(path: string): string;
  link(path: string, target: string): string;
  places(command?: Partial<SandboxCommand>, options?: PlacesOptions): Promise<Places>;
  /** Relative to `base`, sorted. */
  names(paths: readonly (string | { readonly path: string })[]): readonly string[];
}

export function ground(): Ground {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "places-")));
  const at = (path: string) => join(base, path);
  const [home, workspace] = [at("home"), at("work")];
  for (const folder of [home, workspace]) mkdirSync(folder);
  const below = (path: string) => {
    mkdirSync(dirname(at(path)), { recursive: true });
    return at(path);
  };
  return {
    ...{ base, home, workspace, at },
    file(path, text = "") {
      writeFileSync(below(path), text);
      return at(path);
    },
    folder(path) {
      mkdirSync(at(path), { recursive: true });
      return at(path);
    },
    link(path, target) {
      symlinkSync(target, below(path));
      return at(path);
    },
    places: (command, options) =>
      placesOf({ argv: ["true"], cwd: workspace, ...command }, { environment: {}, home, caches: [], ...options }),
    names: (paths) => paths.map((each) => relative(base, typeof each === "string" ? each : each.path)).sort(),
    [Symbol.dispose]: () => rmSync(base, { recursive: true, force: true }),
  };
}

/** Denies both acts, or the one named, on the paths that fit. */
export function denies(pattern: RegExp, only?: "read" | "write"): NonNullable<SandboxCommand["isDenied"]> {
  return (act, path) => (only === undefined || act === only) && pattern.test(path);
}
