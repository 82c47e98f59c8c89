// Samples of several things, taken in turn: what the machine does meanwhile then slows all of them alike, and the ratio of
// their medians stands.

/** Takes one sample and returns it, smaller or larger as it is. */
export type Sampler = () => number | Promise<number>;

/**
 * The median of `rounds` samples of each, by name. Every second round goes backwards, so that none always follows the same
 * other. One round before the first is thrown away, unless `warmUp` is false: it warms up.
 */
export async function interleave<Name extends string>(
  samplers: Readonly<Record<Name, Sampler>>,
  rounds: number,
  { warmUp = true }: { readonly warmUp?: boolean } = {},
): Promise<Readonly<Record<Name, number>>> {
  const names = Object.keys(samplers) as Name[];
  const samples = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (let round = warmUp ? 0 : 1; round <= rounds; round += 1) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const sample = await samplers[name]();
      if (round > 0) samples[name].push(sample);
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(samples[name])])) as Record<Name, number>;
}

/** The middle one, or the mean of the two in the middle. Throws `RangeError` for none. */
export function median(values: readonly number[]): number {
  if (values.length === 0) throw new RangeError("There is no median of no values.");
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] as number;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2;
}

/** How long `work` takes, in ms. */
export async function timeMs(work: () => unknown): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
