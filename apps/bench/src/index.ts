// The bench: measures, a table on standard output, JSON in a file. A target that is missed is a finding and no failure, unless
// `--strict` says so.
import { writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { plan } from "./measure.js";
import { parseOptions } from "./options.js";
import { formatJson, formatTable } from "./report.js";
import { meets } from "./row.js";
import { measures, runMeasures } from "./run-measures.js";

async function main(args: readonly string[]): Promise<number> {
  const { isQuick, isStrict, only, file } = parseOptions(
    args,
    measures.map(({ name }) => name),
  );
  const chosen = only.length === 0 ? measures : measures.filter(({ name }) => only.includes(name));
  const rows = await runMeasures(chosen, plan(isQuick), (name) => console.error(`measuring ${name} …`));
  const { version: node, platform, arch } = process;
  const machine = {
    node,
    platform: `${platform}-${arch}`,
    cores: availableParallelism(),
    at: new Date().toISOString(),
  };
  console.log(
    `\n${formatTable(rows)}\n\nMedians on Node ${node}, ${machine.platform}, ${machine.cores} cores. JSON: ${file}`,
  );
  await writeFile(file, formatJson(machine, rows));
  return isStrict && rows.some((row) => meets(row) === false) ? 1 : 0;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof TypeError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
