// Which rung a run gets, from what came of trying them: a pure decision. Only a network that is to be closed, and what the caller
// requires, can turn a stronger rung down.
import type { Backend, SandboxNeeds } from "@harness/spec";
import type { RungReport } from "../rung.js";
import { type BoundaryName, lacksOf } from "./lacks.js";

/** Boundaries without which a run is not to start. */
export interface Requirements {
  readonly writes?: true;
  /** Where the run denies it. */
  readonly egress?: true;
  readonly unixSockets?: true;
  readonly treeKill?: "kernel";
}

export interface ChoiceOptions {
  /** `true`: writes and egress. */
  readonly required?: boolean | Requirements | undefined;
  /** No other than this one. */
  readonly only?: Backend | undefined;
}

export type Choice =
  /** `missing` is for `Sandbox.boundary`. */
  | { readonly type: "rung"; readonly backend: Backend; readonly missing: readonly string[] }
  | { readonly type: "floor"; readonly missing: readonly string[] }
  /** Why, and what would help. */
  | { readonly type: "refused"; readonly reason: string };

type Needs = Pick<SandboxNeeds, "egress">;

const portable = "portable-floor";
/** What the floor adds to what no rung holds. */
const bare: RungReport = { backend: portable, works: true, problem: null, enforces: {}, gaps: [] };

/** `reports`: of every rung, strongest first. */
export function chooseRung(reports: readonly RungReport[], needs: Needs, options: ChoiceOptions = {}): Choice {
  const { only, required = false } = options;
  const all = [...reports, bare];
  const candidates = only === undefined ? all : all.filter(({ backend }) => backend === only);
  const working = candidates.filter(({ works }) => works);
  const suitable = working.filter((report) => lacksOf(report.enforces, needs, namesOf(required)).length === 0);
  const chosen = suitable.find((report) => lacksOf(report.enforces, needs, ["egress"]).length === 0) ?? suitable[0];
  if (!chosen) return { type: "refused", reason: refusal(candidates, working, needs, options) };
  const missing = missingOf(chosen, reports, needs);
  return chosen === bare ? { type: "floor", missing } : { type: "rung", backend: chosen.backend, missing };
}

function namesOf(required: boolean | Requirements): readonly BoundaryName[] {
  const { writes, egress, unixSockets, treeKill }: Requirements =
    typeof required === "object" ? required : required ? { writes: true, egress: true } : {};
  return [
    ...(writes ? (["writes"] as const) : []),
    ...(egress ? (["egress"] as const) : []),
    ...(unixSockets ? (["unixSockets"] as const) : []),
    ...(treeKill ? (["treeKill"] as const) : []),
  ];
}

function missingOf(chosen: RungReport, reports: readonly RungReport[], needs: Needs): readonly string[] {
  const at = reports.indexOf(chosen);
  const stronger = at === -1 ? reports : reports.slice(0, at);
  const lacks = lacksOf(chosen.enforces, needs).map((lack) => `${lack}.`);
  return [...lacks, ...stronger.map((report) => whyNot(report, needs)), ...chosen.gaps];
}

function whyNot({ backend, problem, enforces }: RungReport, needs: Needs): string {
  if (problem !== null) return problem;
  const cannot = lacksOf(enforces, needs, ["egress"]).length > 0;
  return `${backend} was passed over: ${cannot ? "it does not keep commands from the network" : "it does not hold what is required"}.`;
}

function refusal(
  candidates: readonly RungReport[],
  working: readonly RungReport[],
  needs: Needs,
  { required = false, only }: ChoiceOptions,
): string {
  const problems = candidates.flatMap(({ problem }) => problem ?? []);
  if (candidates.length === 0) return `There is no backend ${JSON.stringify(only)} on this platform. Name another one.`;
  if (working.length === 0) return problems.join(" ");
  const best = working[0] as RungReport;
  const lacks = lacksOf(best.enforces, needs, namesOf(required)).map((lack) => `${lack}.`);
  return [...lacks, ...problems, ...best.gaps].join(" ");
}
