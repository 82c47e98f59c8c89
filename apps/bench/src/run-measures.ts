// The list of measures, and one pass over it.
import type { Measure, Plan } from "./measure.js";
import { cappedSpawn } from "./measures/capped-spawn.js";
import { coldImport } from "./measures/cold-import.js";
import { commits } from "./measures/commits.js";
import { containedSpawn } from "./measures/contained-spawn.js";
import { decodeStream } from "./measures/decode-stream.js";
import { floorSpawn } from "./measures/floor-spawn.js";
import { follow } from "./measures/follow.js";
import { grep } from "./measures/grep.js";
import { inMemory } from "./measures/in-memory.js";
import { manyAgents } from "./measures/many-agents.js";
import { onSqlite } from "./measures/on-sqlite.js";
import { parkedAgents } from "./measures/parked-agents.js";
import { readStream } from "./measures/read-stream.js";
import { resumeTime } from "./measures/resume-time.js";
import { verify } from "./measures/verify.js";
import { writeLargeFile } from "./measures/write-file.js";
import type { Row } from "./row.js";

/** In the order in which they are reported. */
export const measures: readonly Measure[] = [
  inMemory,
  onSqlite("power"),
  onSqlite("process"),
  commits,
  manyAgents,
  parkedAgents,
  resumeTime,
  verify,
  readStream,
  follow,
  floorSpawn,
  cappedSpawn,
  containedSpawn,
  writeLargeFile,
  grep,
  decodeStream,
  coldImport,
];

/** The rows of `chosen`, taken one measure after another; `tell` hears of each before it starts. */
export async function runMeasures(
  chosen: readonly Measure[],
  plan: Plan,
  tell: (name: string) => void,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const measure of chosen) {
    tell(measure.name);
    rows.push(...(await measure.run(plan)));
  }
  return rows;
}
