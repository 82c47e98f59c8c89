// Paths as rules and accesses see them. Everything here is about text: links and what exists are the workspace's to
// resolve. The one thing to keep is that a rule and an access go through the same steps, so that two spellings of one path
// can never meet two different verdicts.
import { assertNameable, beyondAscii, type Form, refusal } from "./form.js";
import { hasWildcard } from "./glob.js";

/** `windows`: `\` separates parts as `/` does, and drives, shares and `\\?\` are understood. On `posix` `\` is a character. */
export type Platform = "posix" | "windows";

export interface PathOptions {
  /** What is to be done with the path, for the error. Default `read`. */
  readonly act?: "read" | "write";
  /** Default `posix`. */
  readonly platform?: Platform;
}

/** How a path is looked at: both change what counts as the same path. */
export interface View {
  readonly foldsCase: boolean;
  readonly platform: Platform;
}

/** Every view there is. */
export const views = [
  { foldsCase: false, platform: "posix" },
  { foldsCase: true, platform: "posix" },
  { foldsCase: false, platform: "windows" },
  { foldsCase: true, platform: "windows" },
] as const satisfies readonly View[];

/** How commands, hosts and ordinary paths are looked at. */
export const exactView: View = views[0];

export function viewOf(foldsCase: boolean, platform: Platform): View {
  const ofPlatform = platform === "windows" ? 2 : 0;
  return views[ofPlatform + (foldsCase ? 1 : 0)] ?? exactView;
}

/**
 * A path that a tool was given, relative to the workspace root: `./a`, `a//b`, `x/../a` and a trailing slash are
 * brought to one form, the root itself to `.`. Letters are left as they are. Throws `ActRefusedError` for an absolute
 * path, a drive, a path that climbs above the root, NUL and lone surrogates.
 */
export function canonicalPath(path: string, options: PathOptions = {}): string {
  const { act = "read", platform = "posix" } = options;
  assertNameable(act, path);
  if (/^[a-z]:(?:[\\/]|$)/i.test(path))
    throw refusal(act, path, "it names a drive; give a path relative to the workspace root");
  const [root, parts] = split(path, platform);
  if (root !== "") throw refusal(act, path, "it is absolute; give a path relative to the workspace root");
  const form = joined(root, parts, platform, "target");
  if (form.problem !== undefined) throw refusal(act, path, form.problem);
  return form.text === "" ? "." : form.text;
}

// An empty, `.` or `..` part at either end or between slashes: the few paths that need taking apart.
const unusual = /(?:^|\/)\.{0,2}(?:\/|$)/;

/** The form of a read or write target in which rules meet it. The workspace root is empty; an absolute path stays one. */
export function pathForm(target: string, view: View): Form {
  if (view.platform === "posix" && !unusual.test(target)) return { text: spelling(target, view.foldsCase) };
  return spelled(joined(...split(target, view.platform), view.platform, "target"), view);
}

/** The same for a rule's pattern. */
export function pathPatternForm(pattern: string, view: View): Form {
  if (/^~(?:[\\/]|$)/.test(pattern))
    return { problem: "`~` is not expanded; write the folder out (or `./~` for that name)" };
  return spelled(joined(...split(pattern, view.platform), view.platform, "pattern"), view);
}

function spelled(form: Form, view: View): Form {
  return form.problem === undefined ? { text: spelling(form.text, view.foldsCase) } : form;
}

/** The root that a path starts from (empty for a relative one) and its parts. */
function split(path: string, platform: Platform): [root: string, parts: readonly string[]] {
  const folded = platform === "windows" ? withoutVerbatim(path.replaceAll("\\", "/")) : path;
  const drive = platform === "windows" ? /^(?:([a-z]):|\/([a-z]))(?:\/|$)/i.exec(folded) : null;
  const root = drive ? `${(drive[1] ?? drive[2])?.toUpperCase()}:/` : leading(folded, platform);
  return [root, folded.slice(drive ? drive[0].length : root.length).split("/")];
}

function leading(path: string, platform: Platform): string {
  if (platform === "windows" && path.startsWith("//")) return "//";
  return path.startsWith("/") ? "/" : "";
}

/** `//?/C:/a` is `C:/a`, and `//?/UNC/host/share` is `//host/share`. */
function withoutVerbatim(path: string): string {
  return path.replace(/^\/\/[?.]\/(UNC\/)?/i, (_, share?: string) => (share === undefined ? "" : "//"));
}

/** Drops empty and `.` parts and lets `..` take back the part before it. */
function joined(root: string, parts: readonly string[], platform: Platform, of: "target" | "pattern"): Form {
  const kept: string[] = [];
  for (const part of parts) {
    if (part === "" || part === ".") continue;
    if (part !== "..") {
      if (of === "target" && platform === "windows" && /:|[. ]$/.test(part)) return { problem: windowsAlias };
      kept.push(part);
      continue;
    }
    const last = kept.pop();
    if (last === undefined && root === "") return { problem: "it climbs above the workspace root" };
    if (last !== undefined && of === "pattern" && hasWildcard(last)) return { problem: "`..` follows a wildcard" };
  }
  return { text: root + kept.join("/") };
}

// `.env.`, `.env ` and `.env::$DATA` open `.env` on Windows, so no rule about `.env` would meet them.
const windowsAlias =
  "it has a part with `:`, or one that ends in a dot or a space, which Windows reads as another name";

/**
 * One spelling for what a file system may take for the same name: composed (NFC) always, and with `foldsCase` each code
 * point replaced by its simple case folding. Foldings to several letters (`ß` to `ss`) are left out: they would change what `?` means.
 */
function spelling(text: string, foldsCase: boolean): string {
  if (!beyondAscii.test(text)) return foldsCase ? text.toLowerCase() : text;
  if (!foldsCase) return text.normalize("NFC");
  return Array.from(text.normalize("NFD"), foldPoint).join("").normalize("NFC");
}

/** By way of the capital, so that `ſ` meets `s` and `ς` meets `σ`, whatever stands beside them. */
function foldPoint(point: string): string {
  const capital = point.toUpperCase();
  const base = isOnePoint(capital) ? capital : point;
  const small = base.toLowerCase();
  return isOnePoint(small) ? small : base;
}

function isOnePoint(text: string): boolean {
  return text.length === 1 || (text.length === 2 && (text.codePointAt(0) ?? 0) > 0xffff);
}
