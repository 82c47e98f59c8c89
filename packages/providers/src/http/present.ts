// Optional facts of an error: a field that is not known is not there, rather than there and undefined.

/** `fields` without those that are undefined. */
export function present<T extends object>(fields: T): { readonly [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
