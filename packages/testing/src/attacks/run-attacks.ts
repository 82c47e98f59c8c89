// All attacks on one sandbox, some at a time, and those that take much of the machine alone. Results come in the order of the list.
import { attackFolder, unfit } from "./attack-folder.js";
import { attacks } from "./attack-list.js";
import { type AttackedSandbox, type AttackResult, type Trial, tryAttack, tryWork } from "./try-attack.js";

export interface RunAttacksOptions {
  /** Where scenes are made; everything in them is removed again. Not below the temporary folder. Default: `attackFolder()`. */
  readonly folder?: string;
  /** Ids of what is tried, `work` among them. Default: all. One that there is not is a `RangeError`. */
  readonly only?: readonly string[];
  /** How many are tried at the same time. Default 4. */
  readonly atOnce?: number;
  /** Ends the attack under way and rejects with its reason, when nothing of it is left. */
  readonly signal?: AbortSignal;
}

/**
 * Attacks `sandbox`: first the work that it must not stop, then each attack. What one could damage is made for it and goes with it,
 * and loads stay below 700 MiB of memory, 150 processes and some seconds of CPU time.
 */
export async function* runAttacks(
  sandbox: AttackedSandbox,
  options: RunAttacksOptions = {},
): AsyncIterable<AttackResult> {
  const { folder = attackFolder(), only, atOnce = 4, signal } = options;
  const reason = unfit(folder);
  if (reason) throw new RangeError(`Attacks cannot be staged: ${reason}. Choose another folder.`);
  const unknown = only?.find((id) => id !== "work" && !attacks.some((one) => one.id === id));
  if (unknown !== undefined) throw new RangeError(`There is no attack ${JSON.stringify(unknown)}; see \`attacks\`.`);
  const stop = new AbortController();
  const trial: Trial = { sandbox, folder, signal: signal ? AbortSignal.any([signal, stop.signal]) : stop.signal };
  const isWanted = ({ id }: { readonly id: string }) => only?.includes(id) ?? true;
  const wanted = attacks.filter(isWanted);
  const light = wanted.filter(({ isHeavy }) => !isHeavy).map((one) => () => tryAttack(one, trial));
  const heavy = wanted.filter(({ isHeavy }) => isHeavy).map((one) => () => tryAttack(one, trial));
  const work = [{ id: "work" }].filter(isWanted).map(() => () => tryWork(trial));
  yield* inOrder([...work, ...light], Math.max(1, atOnce), stop);
  yield* inOrder(heavy, 1, stop);
}

/** Runs `jobs`, `width` at a time. However it ends, nothing of them is running any more. */
async function* inOrder<T>(
  jobs: readonly (() => Promise<T>)[],
  width: number,
  stop: AbortController,
): AsyncIterable<T> {
  const running: Promise<T>[] = [];
  const next = jobs.values();
  const startOne = () => {
    const { value: job } = next.next();
    if (!job) return;
    const work = job();
    // It is awaited in its turn; until then nobody may call its rejection unheard.
    work.catch(() => {});
    running.push(work);
  };
  for (let count = 0; count < width; count += 1) startOne();
  try {
    for (let first = running[0]; first; first = running[0]) {
      const result = await first;
      running.shift();
      startOne();
      yield result;
    }
  } finally {
    if (running.length > 0) stop.abort();
    await Promise.allSettled(running);
  }
}
