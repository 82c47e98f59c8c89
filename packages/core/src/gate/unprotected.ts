// Whether the agent may change what judges it: the gate's own script, the manifest that names it, the tests it runs. Not
// forbidden – writing tests is work, too – but whoever reads "success" should know.
import { access } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { explain } from "@harness/policy";
import type { Gate, PolicyData } from "@harness/spec";

const manifests: Readonly<Record<string, readonly string[]>> = {
  npm: ["package.json"],
  pnpm: ["package.json"],
  yarn: ["package.json"],
  bun: ["package.json"],
  make: ["Makefile"],
  cargo: ["Cargo.toml"],
};
const testFolders = ["test", "tests", "__tests__", "spec"];

/** Paths that the gate stands on and that `policy` does not deny the agent to write. Looks only whether they exist. */
export async function unprotectedPaths(gate: Gate, policy: PolicyData, workspace: string): Promise<readonly string[]> {
  if (gate.type !== "command") return [];
  const [program, ...rest] = gate.argv;
  const scripts = [program, ...rest].filter(
    (word) => !word.startsWith("-") && !isAbsolute(word) && !word.includes(".."),
  );
  const candidates = new Set([...scripts, ...(manifests[program] ?? []), ...testFolders]);
  const found: string[] = [];
  for (const path of candidates) {
    const inside = testFolders.includes(path) ? `${path}/x` : path;
    if (explain(policy, { type: "write", target: inside }).effect !== "deny" && (await exists(join(workspace, path))))
      found.push(path);
  }
  return found;
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
