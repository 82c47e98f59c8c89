// How what the policy hides is told: that there is something, and never what it is called.

/** One line for `count` hidden `things`, or none. */
export function hiddenNote(count: number, things: "files" | "entries"): readonly string[] {
  if (count === 0) return [];
  const what = count > 1 ? `${count} ${things}` : things === "files" ? "1 file" : "1 entry";
  return [`(${what} the policy hides ${count === 1 ? "was" : "were"} left out)`];
}
