// A number with what it counts.

/** `1 run`, `1,204 events`. */
export function counted(count: number, what: string): string {
  return `${count.toLocaleString("en-US")} ${what}${count === 1 ? "" : "s"}`;
}
