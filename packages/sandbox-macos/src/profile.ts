// The Seatbelt profile of one command. Of the rules that match an act the last one decides, so what is granted stands before what
// is taken away from it. Paths are parameters: the text of a profile is the same whatever a folder is called.
import { layersOf, type PlaceLayer, type Places } from "@harness/sandbox-floor";
import { anyCase } from "./any-case.js";
import { networkRules } from "./network.js";
import { processRules, serviceRules } from "./processes.js";

export interface ProfileRequest {
  readonly places: Pick<Places, "writable" | "protected" | "pinned" | "hidden" | "watched">;
  /** The command's own temporary folder, resolved. */
  readonly temp: string;
  readonly egress: "deny" | "allow";
}

export interface Profile {
  readonly text: string;
  /** What stands for the `(param "…")` in the text. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** Every path of `request` is resolved: the kernel knows no others, and `/tmp` is a link on macOS. */
export function seatbeltProfile({ places, temp, egress }: ProfileRequest): Profile {
  const parameters: Record<string, string> = {};
  const parameter = (path: string) => {
    const name = `PATH_${Object.keys(parameters).length}`;
    parameters[name] = path;
    return `(param "${name}")`;
  };
  const rules = [
    "(version 1)",
    "(allow default)",
    ...networkRules(egress),
    ...processRules,
    ...serviceRules,
    // A second name for a file, or a clone of it, would be a way around what its own path is denied.
    "(deny file-link file-clone)",
    "(deny file-write*)",
    ...deviceRules,
    ...layersOf(places).map((layer) => ruleFor(layer, parameter)),
    ...places.watched.flatMap((path) => watchRules(path, parameter)),
    // The last word, wherever the system keeps its temporary folders.
    `(allow file-read* file-write* (subpath ${parameter(temp)}))`,
  ];
  return { text: `${rules.join("\n")}\n`, parameters };
}

const deviceRules: readonly string[] = [
  '(allow file-write* (literal "/dev/null") (literal "/dev/zero") (literal "/dev/dtracehelper"))',
  // What is open already, by another name.
  '(allow file-write-data (literal "/dev/stdout") (literal "/dev/stderr") (subpath "/dev/fd"))',
];

type Parameter = (path: string) => string;

function ruleFor(layer: PlaceLayer, parameter: Parameter): string {
  const path = parameter(layer.path);
  switch (layer.type) {
    case "writable":
      // To read as well: what is granted inside a hidden folder is granted. Not to be moved, or what is protected in it would lie
      // at another path.
      return `(allow file-read* file-write* (subpath ${path}))\n(deny file-write-unlink (literal ${path}))`;
    case "pinned":
      // To move a folder is to unlink it where it was.
      return `(deny file-write-unlink (literal ${path}))`;
    case "protected":
      return `(deny file-write* (subpath ${path}))`;
    case "hidden":
      return `(deny file-read* file-write* (subpath ${path}))`;
    default:
      return layer satisfies never;
  }
}

/** A name that is not there cannot be made, on most volumes of macOS however it is spelled. */
function watchRules(path: string, parameter: Parameter): readonly string[] {
  const spelled = anyCase(path);
  const rule = `(deny file-write* (subpath ${parameter(path)}))`;
  return spelled === undefined ? [rule] : [rule, `(deny file-write* (regex ${spelled}))`];
}
