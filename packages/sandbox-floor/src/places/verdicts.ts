// What the rules say of the entries of one folder. As long as the rules are the same function and the folder's listing the same
// object, the answer is remembered.
import type { SandboxCommand } from "@harness/spec";
import type { Listing } from "./listings.js";

export type IsDenied = NonNullable<SandboxCommand["isDenied"]>;

/** A folder of the workspace: its path in it, empty for the workspace itself. */
export interface Spot {
  readonly relative: string;
  /** All of it is not to be written, so nobody need be asked about what is in it. */
  readonly isProtected: boolean;
}

export interface Verdict {
  /** Names that may not be read, and not be written. */
  readonly read: readonly string[];
  readonly write: readonly string[];
  /** To be looked into. */
  readonly folders: readonly Spot[];
  /** Denied, and no path leads there. */
  readonly odd: readonly string[];
}

export type Verdicts = (spot: Spot, listing: Listing) => Verdict;

/** What is in them is nobody's secret, and there is too much of it; git's own names are protected without a rule. */
const passedOver: ReadonlySet<string> = new Set(["node_modules", ".git"]);

type Memory = WeakMap<Listing, { readonly spot: Spot; readonly verdict: Verdict }>;
const memories = new WeakMap<IsDenied, Memory>();

export function verdictsFor(isDenied: IsDenied): Verdicts {
  const memory: Memory = memories.get(isDenied) ?? new WeakMap();
  memories.set(isDenied, memory);
  return (spot, listing) => {
    const known = memory.get(listing);
    if (known?.spot.relative === spot.relative && known.spot.isProtected === spot.isProtected) return known.verdict;
    const verdict = verdictOn(isDenied, spot, listing);
    memory.set(listing, { spot, verdict });
    return verdict;
  };
}

function verdictOn(isDenied: IsDenied, { relative, isProtected }: Spot, listing: Listing): Verdict {
  const prefix = relative === "" ? "" : `${relative}/`;
  const mayNot = (act: "read" | "write", name: string) =>
    act === "write" && isProtected ? false : isDenied(act, prefix + name);
  const verdict = { read: [] as string[], write: [] as string[], folders: [] as Spot[] };
  for (const name of listing.others) {
    if (mayNot("read", name)) verdict.read.push(name);
    if (mayNot("write", name)) verdict.write.push(name);
  }
  for (const name of listing.folders) {
    const mayNotAny = (act: "read" | "write") => mayNot(act, name) || isWhole(isDenied, act, `${prefix}${name}/`);
    const isClosed = !isProtected && mayNotAny("write");
    if (isClosed) verdict.write.push(name);
    if (mayNotAny("read")) verdict.read.push(name);
    else if (!passedOver.has(name))
      verdict.folders.push({ relative: prefix + name, isProtected: isProtected || isClosed });
  }
  const odd = listing.odd.filter((name) => mayNot("read", name) || mayNot("write", name));
  return { ...verdict, odd };
}

// Names that nobody thought of, and that have nothing in common: whoever denies all of them denies all there is.
const anyNames = ["q", "7x7x7", "j/v"];

/** Whether `act` is denied on whatever begins with `prefix`. */
export function isWhole(isDenied: IsDenied, act: "read" | "write", prefix: string): boolean {
  return anyNames.every((name) => isDenied(act, prefix + name));
}
