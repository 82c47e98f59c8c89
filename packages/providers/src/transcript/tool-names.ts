// Tool names for vendors, and back. A name that every vendor accepts is sent as it is; any other becomes a readable form of
// itself with a digest behind it, so that what one tool is called does not depend on which others are offered.
import { sha256, type ToolSpec } from "@harness/spec";

const accepted = /^[A-Za-z0-9_-]{1,64}$/;
const readableChars = 48;
const digestChars = 12;

export interface ToolNames {
  /** Matches `^[A-Za-z0-9_-]{1,64}$`. No two of the tools share one, and no other name becomes a tool's. */
  toVendor(name: string): string;
  /** What `toVendor` made, undone. A name that is no tool's comes back as it is. */
  fromVendor(name: string): string;
}

export function toolNames(tools: readonly ToolSpec[]): ToolNames {
  const vendor = new Map<string, string>();
  const ours = new Map<string, string>();
  const assign = (name: string, given: string) => {
    vendor.set(name, given);
    ours.set(given, name);
  };
  for (const { name } of tools) if (accepted.test(name)) assign(name, name);
  for (const { name } of tools) if (!vendor.has(name)) assign(name, freeName(name, ours));
  return {
    toVendor: (name) => vendor.get(name) ?? freeName(name, ours),
    fromVendor: (name) => ours.get(name) ?? name,
  };
}

/** The name itself where it is accepted and nobody's. */
function freeName(name: string, taken: ReadonlyMap<string, string>): string {
  if (accepted.test(name) && !taken.has(name)) return name;
  const readable = name.replace(/[^A-Za-z0-9_-]+/g, "_").slice(0, readableChars);
  for (let nth = 0; ; nth += 1) {
    const digest = sha256(nth === 0 ? name : `${name}\n${nth}`).slice(0, digestChars);
    const minted = `${readable}_${digest}`;
    if (!taken.has(minted)) return minted;
  }
}
