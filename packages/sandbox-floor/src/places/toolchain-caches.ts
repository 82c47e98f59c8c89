// Where toolchains keep what they download, as data. Of a folder that also holds credentials, settings or programs only the cache
// is granted: a writable folder of programs on the user's PATH is a way to run something outside.
import { homedir } from "node:os";
import { isAbsolute } from "node:path";

export interface ToolchainCachesOptions {
  /** Default: this process's. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Default: the user's. */
  readonly home?: string;
}

interface CacheRow {
  /** The variable that moves the folder; what it says wins over `folders`. */
  readonly variable?: string;
  /** Conventional places. `$cache` is the user's folder for caches, `$go` that of Go's modules and programs. */
  readonly folders: readonly string[];
  /** What of the folder is cache. Default: all of it. */
  readonly parts?: readonly string[];
}

const rows: readonly CacheRow[] = [
  // Not `bin`, which is on the PATH, nor the credentials.
  { variable: "CARGO_HOME", folders: ["~/.cargo"], parts: ["registry", "git"] },
  // Not `_npx`, from which programs are run.
  { variable: "npm_config_cache", folders: ["~/.npm"], parts: ["_cacache", "_logs"] },
  {
    variable: "PNPM_HOME",
    folders: ["~/.local/share/pnpm", "~/Library/pnpm"],
    parts: ["store"],
  },
  { folders: ["$cache/pnpm"] },
  {
    variable: "YARN_CACHE_FOLDER",
    folders: ["$cache/yarn", "$cache/Yarn"],
  },
  { folders: ["~/.yarn"], parts: ["berry/cache"] },
  { variable: "PIP_CACHE_DIR", folders: ["$cache/pip"] },
  // Its environments stand beside them.
  { variable: "POETRY_CACHE_DIR", folders: ["$cache/pypoetry"], parts: ["cache", "artifacts"] },
  { variable: "UV_CACHE_DIR", folders: ["$cache/uv"] },
  { variable: "DENO_DIR", folders: ["$cache/deno"] },
  { variable: "GOMODCACHE", folders: ["$go/pkg/mod"] },
  { variable: "GOCACHE", folders: ["$cache/go-build"] },
  { folders: ["~/.m2"], parts: ["repository"] },
  // Not `init.d`, nor the settings, which hold credentials.
  { variable: "GRADLE_USER_HOME", folders: ["~/.gradle"], parts: ["caches", "daemon"] },
  { variable: "NUGET_PACKAGES", folders: ["~/.nuget/packages"] },
  { variable: "GEM_HOME", folders: ["~/.gem"], parts: ["cache", "specs"] },
  { variable: "BUNDLE_PATH", folders: ["~/.bundle"], parts: ["cache"] },
  {
    variable: "COMPOSER_HOME",
    folders: ["~/.composer", "~/.config/composer"],
    parts: ["cache"],
  },
  { variable: "COMPOSER_CACHE_DIR", folders: ["$cache/composer"] },
  { variable: "HEX_HOME", folders: ["~/.hex"], parts: ["packages"] },
  { folders: ["$cache/org.swift.swiftpm"] },
];

/**
 * Where the caches of toolchains are by convention and by what the environment says: absolute, sorted, each once. Nothing is looked
 * for, so most of them will not be there.
 */
export function toolchainCaches(options: ToolchainCachesOptions = {}): readonly string[] {
  const { environment = process.env, home = environment.HOME ?? homedir() } = options;
  const bases: Bases = {
    "~": [home],
    $cache: environment.XDG_CACHE_HOME ? [environment.XDG_CACHE_HOME] : [`${home}/.cache`, `${home}/Library/Caches`],
    $go: [environment.GOPATH || `${home}/go`],
  };
  const places = rows.flatMap(({ variable, folders, parts }) => {
    const moved = variable === undefined ? undefined : environment[variable];
    const roots = moved ? [moved] : folders.flatMap((folder) => spelledOut(folder, bases));
    return parts ? roots.flatMap((root) => parts.map((part) => `${root}/${part}`)) : roots;
  });
  return [...new Set(places)].filter(isAbsolute).sort();
}

type Bases = Readonly<Record<string, readonly string[]>>;

function spelledOut(folder: string, bases: Bases): readonly string[] {
  const end = folder.indexOf("/");
  return (bases[folder.slice(0, end)] ?? []).map((base) => base + folder.slice(end));
}
