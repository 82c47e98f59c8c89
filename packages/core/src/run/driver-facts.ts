// What a driver is, as the log has it, and what follows from it before the first step: hosts that the policy denies, and
// whether the agent may write what judges it.
import { realpathSync, statSync } from "node:fs";
import { explain, merge } from "@harness/policy";
import type { Driver, NewEvent, PolicyData, Pricing, Provider, TaskContract } from "@harness/spec";
import { containmentOf, needsOf } from "../boundary/containment.js";
import { refusalOf, refusedEvent } from "../boundary/refusal.js";
import { unprotectedPaths } from "../gate/unprotected.js";
import type { Adapters } from "../loop/open-run.js";
import type { ToolTable } from "../tools/tool-table.js";

/** The tools that a run offers in its phase. */
export function toolsIn(isPlanning: boolean, { tools, planning }: Pick<Adapters, "tools" | "planning">): ToolTable {
  return isPlanning && planning ? planning : tools;
}

export function driverOf(
  { provider, sandbox, ...adapters }: Adapters,
  isPlanning: boolean,
  policy: PolicyData,
  contract: TaskContract,
  pricing: Pricing | undefined,
): Driver {
  return {
    provider: provider.name,
    policy,
    limits: contract.limits,
    tools: toolsIn(isPlanning, adapters).offered,
    backend: sandbox?.backend ?? null,
    enforces: sandbox?.enforces ?? null,
    ...(sandbox ? { containment: containmentOf(sandbox, needsOf(contract, policy)) } : {}),
    ...(pricing ? { pricing } : {}),
  };
}

/** Refusals of the hosts that the provider would dial. Naming a provider allows its hosts; only an explicit rule takes that back. */
export function refusedEndpoints(provider: Provider, policy: PolicyData, step: number): readonly NewEvent[] {
  if (provider.endpoints.length === 0) return [];
  const rules = provider.endpoints.map(({ target }) => ({ act: "net", effect: "allow", pattern: target }) as const);
  const widened = merge(policy, { layers: [{ name: "provider", rules }], defaults: policy.defaults });
  for (const { target } of provider.endpoints) {
    const act = { type: "net", target } as const;
    const verdict = explain(widened, act);
    // Nobody can be asked before there is a call to ask about.
    if (verdict.effect !== "allow") return [refusedEvent(step, null, refusalOf({ act, verdict }))];
  }
  return [];
}

/** A warning when what the gate stands on is the agent's to write, unless it was given already. */
export async function gateWarning(
  contract: TaskContract,
  policy: PolicyData,
  step: number,
  warned: readonly string[],
): Promise<readonly NewEvent[]> {
  const paths = await unprotectedPaths(contract.verify, policy, contract.workspace);
  const isKnown = paths.length === warned.length && paths.every((path, index) => path === warned[index]);
  return isKnown ? [] : [{ type: "gate.unprotected", step, paths }];
}

/** The real path of the workspace, or `undefined` when there is no such folder. */
export function realWorkspace(path: string): string | undefined {
  try {
    const real = realpathSync.native(path);
    return statSync(real).isDirectory() ? real : undefined;
  } catch {
    return undefined;
  }
}
