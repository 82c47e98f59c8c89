// Removes a folder and everything below it, whatever a command left there: folders that may not be read, names that are not
// UTF-8, trees deeper than a path can be long. No link is followed, not even one that is put in a folder's place meanwhile:
// every folder is opened before it is emptied. Folders below are moved to the top first, so that none lies deep.
import { randomBytes } from "node:crypto";
import { type Dirent, lstatSync, readdirSync, renameSync, rmdirSync, unlinkSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type HeldFolder, holdToEmpty } from "./held-folder.js";
import { codeOf } from "./left-out.js";

/** After so many files other work gets its turn. */
const filesPerTurn = 200;
/** Someone may still be writing there. Those who go on and on are not waited for. */
const rounds = 3;

/** Resolves to `undefined` when nothing is left, else to the code of what stopped it, such as `EBUSY`. */
export async function removeTree(path: string): Promise<string | undefined> {
  const steps = removal(path);
  for (let count = 1; ; count += 1) {
    const step = steps.next();
    if (step.done) return step.value;
    if (count % filesPerTurn === 0) await nextTurn();
  }
}

/** `removeTree` in one go, for the moment in which this process exits. */
export function removeTreeNow(path: string): string | undefined {
  const steps = removal(path);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

type Steps = Generator<void, string | undefined>;

function* removal(path: string): Steps {
  let problem: string | undefined;
  for (let round = 0; round < rounds; round += 1) {
    problem = yield* emptying(path);
    // A link or a file that someone put in the folder's place is all that there is to remove then.
    const last = attempt(() => (lstatSync(path).isDirectory() ? rmdirSync(path) : unlinkSync(path)));
    if (last === undefined) return undefined;
    problem ??= last;
  }
  return problem;
}

/** Empties the folder at `path`. Returns the code of the first thing that stayed. */
function* emptying(path: string): Steps {
  const waiting: string[] = [];
  let problem: string | undefined;
  let top: HeldFolder | undefined;
  try {
    top = holdToEmpty(path);
    const attic = atticOf(top, waiting);
    problem = yield* clearing(top, attic);
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const stuck = yield* flattening(next, attic);
      problem ??= stuck;
    }
  } catch (error) {
    problem ??= codeOfProblem(error);
  } finally {
    top?.close();
  }
  return problem;
}

/** Removes the folder at `path`; the folders in it go to the attic. */
function* flattening(path: string, attic: Attic): Steps {
  let problem: string | undefined;
  let folder: HeldFolder | undefined;
  try {
    folder = holdToEmpty(path);
    problem = yield* clearing(folder, attic);
    rmdirSync(path);
  } catch (error) {
    problem ??= codeOfProblem(error);
  } finally {
    folder?.close();
  }
  return problem;
}

function* clearing(folder: HeldFolder, attic: Attic): Steps {
  let problem: string | undefined;
  for (const entry of entriesOf(folder)) {
    yield;
    // As bytes: a name that is no UTF-8 does not survive being a string.
    const path = Buffer.concat([Buffer.from(folder.at("")), entry.name]);
    const stuck = attempt(() => (entry.isDirectory() ? attic(folder, path) : unlinkSync(path)));
    problem ??= stuck;
  }
  return problem;
}

function entriesOf(folder: HeldFolder): readonly Dirent<Buffer>[] {
  return readdirSync(folder.at(), { withFileTypes: true, encoding: "buffer" });
}

/** Takes the folder at `path`, which is in `folder`. */
type Attic = (folder: HeldFolder, path: Buffer) => void;

function atticOf(top: HeldFolder, waiting: string[]): Attic {
  const prefix = `m-${randomBytes(8).toString("hex")}`;
  let count = 0;
  return (folder, path) => {
    count += 1;
    const name = `${prefix}-${count}`;
    // In its own folder it can be renamed whatever its mode is; to leave that folder it must be open to us.
    renameSync(path, folder.at(name));
    if (folder !== top) {
      holdToEmpty(folder.at(name)).close();
      renameSync(folder.at(name), top.at(name));
    }
    waiting.push(top.at(name));
  };
}

function attempt(work: () => void): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return codeOfProblem(error);
  }
}

/** `undefined` for what is gone: that was the aim, whoever reached it. Throws what no system said. */
function codeOfProblem(error: unknown): string | undefined {
  const code = codeOf(error);
  if (code === "") throw error;
  return code === "ENOENT" ? undefined : code;
}
