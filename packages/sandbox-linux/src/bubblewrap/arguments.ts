// The boundary, as bubblewrap is told of it. The order decides: everything is made read-only first, then the command's own folders
// are put over the machine's, then what may be written is bound back, and what may not be after all over that.
import { layersOf, type PlaceLayer, type Places } from "@harness/sandbox-floor";
import type { Features } from "./features.js";
import { type Host, temporary, type Way } from "./host.js";

export interface Arrangement {
  readonly places: Pick<Places, "writable" | "pinned" | "protected" | "hidden">;
  /** Absolute and resolved, like `cwd`. */
  readonly workspace: string;
  readonly cwd: string;
  /** `own`: a network in which there is nobody. `as-started`: that of whoever starts bubblewrap. */
  readonly network: "own" | "as-started";
  /** Who resolves names, where the command would not see it otherwise. */
  readonly resolver?: string | undefined;
  readonly ways: readonly Way[];
  /** Of each memory-backed folder. */
  readonly tempBytes: number;
  readonly host: Host;
  readonly features: Features;
  /** Descriptors. No filter where there is none for the architecture. */
  readonly filterAt?: number | undefined;
  readonly statusAt: number;
}

/** Takes names and links to put others' in place, and no contents. */
const smallest = 4_096;

/** The options for one command, up to the `--` before it. */
export function bubblewrapArguments(arrangement: Arrangement): readonly string[] {
  const { cwd, filterAt, statusAt } = arrangement;
  return [
    ...namespaces(arrangement),
    ...machine(arrangement),
    ...ownFolders(arrangement),
    ...granted(arrangement),
    ...["--chdir", cwd],
    ...(filterAt === undefined ? [] : ["--seccomp", String(filterAt)]),
    ...["--json-status-fd", String(statusAt)],
  ];
}

function namespaces({ network, features }: Arrangement): readonly string[] {
  return [
    // Not `--unshare-all`, for which a user namespace is a wish.
    ...["--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-uts", "--unshare-cgroup-try"],
    ...(network === "own" ? ["--unshare-net"] : []),
    ...(features.disableUserns ? ["--disable-userns"] : []),
    // For uid 0 as well, which could remount everything otherwise.
    ...["--cap-drop", "ALL", "--die-with-parent", "--new-session", "--hostname", "sandbox"],
  ];
}

function machine({ host }: Arrangement): readonly string[] {
  return [
    ...["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"],
    // Or uid 0 writes settings of the whole machine.
    ...host.settings.flatMap((path) => ["--ro-bind", path, path]),
    ...host.dangers.flatMap((path) => ["--ro-bind", "/dev/null", path]),
  ];
}

function ownFolders({ host, ways, resolver, tempBytes, features }: Arrangement): readonly string[] {
  const folder = (path: string, bytes: number) => [...sized(features, bytes), "--tmpfs", path];
  return [
    ...temporary.flatMap((path) => folder(path, tempBytes)),
    ...host.runFolders.flatMap((path) => folder(path, smallest)),
    ...ways.flatMap((way) =>
      way.type === "link" ? ["--symlink", way.target, way.path] : ["--ro-bind", way.path, way.path],
    ),
    ...(resolver === undefined ? [] : ["--ro-bind", resolver, resolver]),
  ];
}

function granted({ places, workspace, host, features }: Arrangement): readonly string[] {
  const isWritable = places.writable.includes(workspace);
  return [
    // It may lie below a folder that the command has of its own.
    ...(isWritable ? [] : ["--ro-bind", workspace, workspace]),
    ...layersOf(places).flatMap((layer) => bound(layer, features)),
    // When everything that lies in them is in place.
    ...places.hidden.flatMap(({ path, isFolder }) => (isFolder ? ["--remount-ro", path] : [])),
    ...host.runFolders.flatMap((path) => ["--remount-ro", path]),
  ];
}

function bound(layer: PlaceLayer, features: Features): readonly string[] {
  const { path } = layer;
  switch (layer.type) {
    case "writable":
    case "pinned":
      return ["--bind", path, path];
    case "protected":
      return ["--ro-bind", path, path];
    case "hidden":
      return layer.isFolder ? [...sized(features, smallest), "--tmpfs", path] : ["--ro-bind", "/dev/null", path];
    default:
      return layer satisfies never;
  }
}

function sized({ size }: Features, bytes: number): readonly string[] {
  return size ? ["--size", String(bytes)] : [];
}
