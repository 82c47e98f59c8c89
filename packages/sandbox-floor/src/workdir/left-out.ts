// What a copy leaves out, and why. A copy goes on without it: one file that cannot be taken is no reason to lose the others.

/**
 * - `not-allowed`: the policy refuses a write there.
 * - `missing`: nobody made it.
 * - `link`: it, or a folder above it, is a link. On the way in: a link that may lead out.
 * - `hard-link`: the file has other names, which may be outside.
 * - `not-a-file`: a folder where a file was asked for, a FIFO, a socket, a device.
 * - `name`: its name is not UTF-8.
 * - `changed`: it, or where it goes, was written to or exchanged meanwhile.
 * - `leads-out`: a link in the destination leads out of it, or nowhere.
 * - `occupied`: the destination has a folder, a link or a write-protected file of that name, or a file where a folder must be.
 * - `system`: the system refused; `code` says how.
 */
export type LeftOutReason =
  | "not-allowed"
  | "missing"
  | "link"
  | "hard-link"
  | "not-a-file"
  | "name"
  | "changed"
  | "leads-out"
  | "occupied"
  | "system";

export interface LeftOut {
  /** Relative, `/` between its parts. */
  readonly path: string;
  readonly reason: LeftOutReason;
  /** The system's error code, such as `EACCES`, for the reason `system`. */
  readonly code?: string;
}

/** Why one file is left out. */
export type Problem = Omit<LeftOut, "path">;

/** What the system says of a file that cannot be taken, `undefined` for an error that is not the system's. */
export function systemProblem(error: unknown): Problem | undefined {
  const code = codeOf(error);
  if (code === "") return undefined;
  if (code === "ENOENT" || code === "ENOTDIR") return { reason: "missing" };
  if (code === "ELOOP") return { reason: "link" };
  return { reason: "system", code };
}

/** The code of a system error, empty for any other. */
export function codeOf(error: unknown): string {
  const code = error instanceof Error && "syscall" in error ? (error as { code?: unknown }).code : undefined;
  return typeof code === "string" ? code : "";
}
