// The mounts of one command, as instructions for the set-up: everything that is to stay writable is taken to a bench first, the
// machine is made read-only around it, and then the command's own folders and what it was granted are put over the machine's.
import { dirname, join } from "node:path";
import { layersOf, type PlaceLayer, type Places } from "@harness/sandbox-floor";
import type { Way } from "../bubblewrap/host.js";
import { isWithin } from "../within.js";

export interface Arrangement {
  readonly places: Pick<Places, "writable" | "pinned" | "protected" | "hidden">;
  /** Absolute and resolved. */
  readonly workspace: string;
  /** Those that this machine has, resolved. */
  readonly temporary: readonly string[];
  /** One of `temporary`: see `benchFor`. */
  readonly bench: string;
  readonly ways: readonly Way[];
  readonly tempBytes: number;
  /** Of `/dev`, what this machine has: devices that anybody may use, and links. */
  readonly devices: readonly string[];
  readonly deviceLinks: readonly string[];
  /** True for a path that may be written and is no folder. */
  readonly isFile: (path: string) => boolean;
  /** The set-up is to bring the loopback device up. */
  readonly loopback: boolean;
}

/** A temporary folder to work in. All of them are covered in the end, so nothing that is still wanted may lie in it. */
export function benchFor(
  temporary: readonly string[],
  { places, workspace, ways }: Pick<Arrangement, "places" | "workspace" | "ways">,
): string | undefined {
  const wanted = [workspace, ...places.writable, ...ways.map(({ path }) => path)];
  return temporary.find((folder) => !wanted.some((path) => isWithin(folder, path)));
}

/** A name and its operands: see the script. */
export type SetUpStep = readonly [name: string, ...operands: string[]];

export function setUpSteps(arrangement: Arrangement): readonly SetUpStep[] {
  const { bench } = arrangement;
  const taken = takenFrom(arrangement);
  return [
    mount("tmpfs", "size=1m,mode=700", bench),
    ...deviceSteps(arrangement),
    ...taken.flatMap(({ path, at }) => [made(at, arrangement.isFile(path)), ["bind", path, at] as const]),
    ["lock", bench],
    ...ownFolders(arrangement, taken),
    ...layersOf(arrangement.places).flatMap((layer) => layerSteps(layer, arrangement, taken)),
    ...sealed(arrangement).map((path) => ["seal", path] as const),
    mount("proc", "ro,nosuid,nodev,noexec", "/proc"),
    ...(arrangement.loopback ? [["loopback"] as const] : []),
    ...coverSteps(arrangement),
  ];
}

function mount(type: string, options: string, path: string): SetUpStep {
  return ["mount", type, options, path];
}

function made(path: string, isFile: boolean): SetUpStep {
  return [isFile ? "file" : "folder", path];
}

function ownFolder(path: string, bytes: number): SetUpStep {
  return mount("tmpfs", `size=${bytes},mode=1777,nosuid,nodev`, path);
}

/** Room for names and links, and for no contents. */
const smallest = 4_096;
const sharedMemory = "/dev/shm";

/** A `/dev` without disks, made on the bench. */
function deviceSteps({ bench, devices, deviceLinks, tempBytes }: Arrangement): readonly SetUpStep[] {
  const at = (path: string) => join(bench, path);
  return [
    ["folder", at("/dev")],
    mount("tmpfs", "size=64k,mode=755", at("/dev")),
    ...devices.flatMap((path) => [made(at(path), true), ["bind", path, at(path)] as const]),
    ...deviceLinks.map((path) => ["copy", path, at("/dev")] as const),
    ["folder", at("/dev/pts")],
    mount("devpts", "newinstance,ptmxmode=0666,mode=620,nosuid,noexec", at("/dev/pts")),
    ["link", "pts/ptmx", at("/dev/ptmx")],
    ["folder", at(sharedMemory)],
    ownFolder(at(sharedMemory), tempBytes),
  ];
}

interface Taken {
  readonly path: string;
  /** On the bench. */
  readonly at: string;
}

/** What is put back: all that may be written, and what lies below a folder that is covered. */
function takenFrom({ places, workspace, temporary, bench, ways }: Arrangement): readonly Taken[] {
  const isCovered = !places.writable.includes(workspace) && temporary.some((folder) => isWithin(folder, workspace));
  const folders = ways.filter(({ type }) => type === "folder").map(({ path }) => path);
  const paths = [...(isCovered ? [workspace] : []), ...folders, ...places.writable];
  return paths.map((path, index) => ({ path, at: join(bench, String(index)) }));
}

function ownFolders(arrangement: Arrangement, taken: readonly Taken[]): readonly SetUpStep[] {
  const { places, temporary, bench, ways, tempBytes } = arrangement;
  const early = temporary.filter((folder) => folder !== bench && folder !== sharedMemory);
  const readable = taken.filter(({ path }) => !places.writable.includes(path));
  return [
    ...early.map((folder) => ownFolder(folder, tempBytes)),
    ...ways.flatMap((way) =>
      way.type === "link" ? [made(dirname(way.path), false), ["link", way.target, way.path] as const] : [],
    ),
    ...readable.flatMap(({ path, at }) => [made(path, false), ["move", at, path] as const, ["seal", path] as const]),
  ];
}

function layerSteps(layer: PlaceLayer, arrangement: Arrangement, taken: readonly Taken[]): readonly SetUpStep[] {
  const { path } = layer;
  switch (layer.type) {
    case "writable":
      return putSteps(path, arrangement, taken);
    case "pinned":
      return [["bind", path, path]];
    case "protected":
      return [
        ["bind", path, path],
        ["seal", path],
      ];
    case "hidden":
      return isShown(path, arrangement) ? [hide(layer, arrangement)] : [];
    default:
      return layer satisfies never;
  }
}

function putSteps(path: string, arrangement: Arrangement, taken: readonly Taken[]): readonly SetUpStep[] {
  const at = taken.find((one) => one.path === path)?.at;
  if (at === undefined) return [];
  const covers = [...arrangement.temporary, ...arrangement.places.hidden.map((place) => place.path)];
  const isMissing = covers.some((cover) => cover !== path && isWithin(cover, path));
  return [...(isMissing ? missing(path, arrangement.isFile(path)) : []), ["move", at, path]];
}

function missing(path: string, isFile: boolean): readonly SetUpStep[] {
  return isFile ? [made(dirname(path), false), made(path, true)] : [made(path, false)];
}

/** Of a temporary folder only what was put back is there. */
function isShown(path: string, { temporary, places }: Arrangement): boolean {
  const isCovered = temporary.some((folder) => isWithin(folder, path));
  return !isCovered || places.writable.some((folder) => isWithin(folder, path));
}

function hide({ path, isFolder }: PlaceLayer & { type: "hidden" }, arrangement: Arrangement): SetUpStep {
  if (!isFolder) return ["bind", join(arrangement.bench, "/dev/null"), path];
  return mount("tmpfs", `${holdsGrant(path, arrangement) ? "" : "ro,"}size=${smallest},mode=755`, path);
}

function holdsGrant(path: string, { places }: Arrangement): boolean {
  return places.writable.some((folder) => folder !== path && isWithin(path, folder));
}

/** Hidden folders in which something was still to be put in place. */
function sealed(arrangement: Arrangement): readonly string[] {
  const folders = arrangement.places.hidden.filter(({ path, isFolder }) => isFolder && isShown(path, arrangement));
  return folders.map(({ path }) => path).filter((path) => holdsGrant(path, arrangement));
}

/** Last of all: the bench is covered as well, or lies below `/dev`. */
function coverSteps({ bench, temporary, tempBytes }: Arrangement): readonly SetUpStep[] {
  const own = bench === sharedMemory || !temporary.includes(bench) ? [] : [ownFolder(bench, tempBytes)];
  // Moving it first: it is on the bench.
  return [["move", join(bench, "/dev"), "/dev"], ["seal", "/dev"], ...own];
}
