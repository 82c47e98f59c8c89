// What the installed bubblewrap can do, by its own list of options: distributions carry fixes back, so a version says little.

export interface Features {
  /** A memory-backed folder can be held to a size. */
  readonly size: boolean;
  /** It can forbid user namespaces to whatever runs in it. */
  readonly disableUserns: boolean;
}

/** `help`: what `bwrap --help` prints. */
export function featuresOf(help: string): Features {
  const options = new Set(help.match(/(?<=^\s*)--[a-z0-9-]+/gm));
  return { size: options.has("--size"), disableUserns: options.has("--disable-userns") };
}
