// What Claude models can do, from their ids. An id that names no version is taken for a model newer than this file.

interface Version {
  readonly major: number;
  readonly minor: number;
}

/** Takes an effort as a word. Earlier ones take a budget of tokens, which later ones refuse. */
export function isAdaptive(model: string): boolean {
  return isFrom(model, { major: 4, minor: 6 });
}

/** Holds its text to a JSON schema. */
export function hasOutputSchema(model: string): boolean {
  return isFrom(model, { major: 4, minor: 5 });
}

function isFrom(model: string, first: Version): boolean {
  if (!/claude/i.test(model)) return false;
  const version = versionOf(model);
  if (!version) return true;
  return version.major > first.major || (version.major === first.major && version.minor >= first.minor);
}

/** `claude-sonnet-4-5-20250929` is 4.5, `claude-3-opus-20240229` is 3.0: two digits at most, or it is a date. */
function versionOf(model: string): Version | undefined {
  const [, major, minor = "0"] = /claude[a-z-]*?(\d{1,2})(?:[-.](\d{1,2}))?(?!\d)/i.exec(model) ?? [];
  return major === undefined ? undefined : { major: Number(major), minor: Number(minor) };
}
