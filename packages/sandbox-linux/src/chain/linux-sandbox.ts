// Makes the sandbox of a run: tries the rungs, takes the strongest that can hold what was asked, and puts the floor behind it,
// which runs everything. What holds less than it could is said in the boundary, and in words.
import { type FloorOptions, floor, type PlacesOptions } from "@harness/sandbox-floor";
import {
  type Backend,
  isHarnessError,
  type Sandbox,
  SandboxError,
  type SandboxNeeds,
  type SandboxSource,
} from "@harness/spec";
import type { Rung, RungReport } from "../rung.js";
import { runAsOf } from "../user/run-as.js";
import { type Choice, chooseRung, type Requirements } from "./choose-rung.js";
import { placesFor, rootsOf } from "./command-places.js";
import { lacksOf } from "./lacks.js";
import { linuxRungs } from "./linux-rungs.js";
import { wrapBy } from "./wrap-by.js";

export interface LinuxSandboxOptions {
  /**
   * Without these boundaries there is no sandbox: the source rejects with `SandboxError` `requirement-unmet`. `true` means that
   * writes are confined, and that the network is closed to a run that denies it.
   */
  readonly required?: boolean | Requirements;
  /** This backend or none. Default: the strongest that works here. */
  readonly only?: Backend;
  /** What may be written, and what is protected and hidden, beside the defaults. */
  readonly places?: PlacesOptions;
  /** For the floor, which runs the commands. */
  readonly floor?: Omit<FloorOptions, "backend" | "enforces" | "isAvailable" | "wrap" | "wrapperSets">;
}

/** Sandboxes of this machine. Nothing is tried before the first is made; each rung is tried once for each process. */
export function linuxSandbox(options: LinuxSandboxOptions = {}): SandboxSource {
  return async (needs) => {
    if (needs.mode === "full-access") return uncontained(options, withoutLimits(needs));
    const rungs = process.platform === "linux" ? linuxRungs() : [];
    const reports = await Promise.all(rungs.map((rung) => rung.probe()));
    const choice = chooseRung(reports, needs, options);
    if (choice.type === "refused") throw unmet(choice.reason + elsewhere());
    if (choice.type === "floor") return uncontained(options, [...choice.missing, elsewhere()].filter(Boolean));
    return contained(rungs, reports, choice, needs, options);
  };
}

function elsewhere(): string {
  return process.platform === "linux" ? "" : `These backends need Linux; this is ${process.platform}.`;
}

/** Nothing stands in front of a command of that mode, whatever works here. */
function withoutLimits({ egress }: SandboxNeeds): readonly string[] {
  return lacksOf({}, { egress }, ["egress"]).map((lack) => `${lack}: full-access holds them to nothing.`);
}

function unmet(reason: string): SandboxError {
  return new SandboxError("requirement-unmet", `Could not make the sandbox that is required. ${reason}`);
}

function uncontained(options: LinuxSandboxOptions, missing: readonly string[]): Sandbox {
  return { ...floor(options.floor), boundary: { roots: [], missing } };
}

/** What commands inherit from says where their caches are. */
function placesOptions({ places, floor: { environment } = {} }: LinuxSandboxOptions): PlacesOptions {
  return { ...(environment && { environment }), ...places };
}

async function contained(
  rungs: readonly Rung[],
  reports: readonly RungReport[],
  { backend, missing }: Extract<Choice, { type: "rung" }>,
  needs: SandboxNeeds,
  options: LinuxSandboxOptions,
): Promise<Sandbox> {
  const at = reports.findIndex((report) => report.backend === backend);
  const [rung, report] = [rungs[at] as Rung, reports[at] as RungReport];
  const user = runAsOf(needs.workspace);
  const places = placesFor(user, placesOptions(options));
  const roots = await rootsOf(needs, places);
  const behind = floor({
    ...options.floor,
    ...{ backend, enforces: report.enforces, wrapperSets: rung.sets ?? [], wrap: wrapBy(rung, places, user) },
  });
  let closing: Promise<void> | undefined;
  return {
    ...behind,
    run: (command) => onceMore(() => behind.run(command), command.signal),
    boundary: { roots, missing },
    close() {
      closing ??= rung.close?.() ?? Promise.resolve();
      return closing;
    },
  };
}

/**
 * Between the look at a place and the moment it is put in place, somebody may have removed it, and the wrapper gives up. The command
 * itself has not run then, so it may be tried again, with another look.
 */
async function onceMore<Value>(run: () => Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  try {
    return await run();
  } catch (error) {
    const isWrapper = isHarnessError(error) && error.code === "sandbox-failed" && error.kind === "wrapper-failed";
    if (!isWrapper || signal?.aborted) throw error;
    return run();
  }
}
