// What the system said, in words for a model: what was attempted, what stopped it, what to do. The system's own sentences
// are not passed on, because they name paths of this machine.
import { isHarnessError, ToolError } from "@harness/spec";
import { codeOf } from "./real-path.js";

const clauses: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file or folder. Look with list_dir or find",
  ENOTDIR: "it, or a part of its path, is a file and not a folder. Look with list_dir",
  EISDIR: "it is a folder. Look with list_dir",
  EACCES: "the system does not permit it",
  EPERM: "the system does not permit it",
  EROFS: "it is on a read-only file system",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  ENAMETOOLONG: "its name is too long",
  ENXIO: "it is not a regular file",
  EMFILE: "too many files are open at the moment. Try again",
  ENFILE: "too many files are open at the moment. Try again",
};

/** `attempt` reads `Could not read "src/a"`. The system's errors become a `ToolError`, everything else stays as it is. */
export function fileProblem(attempt: string, error: unknown): unknown {
  if (isHarnessError(error) || !(error instanceof Error) || !("syscall" in error)) return error;
  const code = codeOf(error);
  return new ToolError(`${attempt}: ${clauses[code] ?? `the system reported ${code}`}.`, { cause: error });
}

/** Runs `work`; what the system reports becomes a `ToolError`. */
export async function explained<Value>(attempt: string, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    throw fileProblem(attempt, error);
  }
}
