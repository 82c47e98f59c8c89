// Contains commands with macOS Seatbelt. Seatbelt is a profile in front of an ordinary process, so only the argv is rewritten here;
// spawning, caps, capture and the end of the tree are the floor's.
import { type FloorOptions, floor, type PlacesOptions, placesOf } from "@harness/sandbox-floor";
import {
  type Backend,
  type Enforcement,
  type Sandbox,
  SandboxError,
  type SandboxNeeds,
  type SandboxSource,
} from "@harness/spec";
import { type Machine, type Probe, probe } from "./probe.js";
import { type MacosRequirements, unmet } from "./requirements.js";
import { wrapCommand } from "./wrap.js";

export interface MacosSandboxOptions {
  /** What must hold. Default: nothing; the floor stands in where Seatbelt does not work, and says so in `boundary.missing`. */
  readonly required?: MacosRequirements;
  /** This backend or none. */
  readonly only?: Backend;
  readonly places?: PlacesOptions;
  readonly floor?: Omit<FloorOptions, "backend" | "enforces" | "wrap" | "wrapperSets" | "isAvailable">;
}

/** What came of trying Seatbelt on this machine. */
export interface MacosReport extends Probe {
  readonly backend: Backend;
  /** What it enforces; the floor's own values stand where nothing is said. */
  readonly enforces: Partial<Enforcement>;
  /** What holds less than it could although it works: a sentence each. */
  readonly gaps: readonly string[];
}

const backend = "macos-sandbox-exec";

const enforces: Partial<Enforcement> = {
  writes: true,
  reads: true,
  metadata: true,
  protectedPaths: true,
  egress: "all",
  unixSockets: true,
  privateTemp: true,
  // The folder is the command's own, and nobody counts what is in it.
  temp: false,
};

const gaps: readonly string[] = [
  "Processes outside can be listed, though neither signalled nor looked into: macOS has no view of its own for a command.",
  "What the user may change of the kernel's settings and devices is held by the user's rights alone; run the harness as an ordinary user.",
  "A process that leaves its session and clears its environment can outlive the command: macOS has nothing that ends a tree for certain.",
];

/**
 * The sandbox of a run on macOS. The source rejects with `SandboxError` `requirement-unmet` when it cannot hold what is required.
 * Whether Seatbelt works is tried once per process, when a sandbox is first asked for.
 */
export function macosSandbox(options: MacosSandboxOptions = {}): SandboxSource {
  return macosSandboxOn({ ...thisMachine(), probed: probedHere }, options);
}

/** What Seatbelt does on this machine; tried once per process. */
export async function macosReport(): Promise<MacosReport> {
  return { backend, ...(await probedHere()), enforces, gaps };
}

let here: Promise<Probe> | undefined;

function probedHere(): Promise<Probe> {
  here ??= probe(thisMachine());
  return here;
}

function thisMachine(): Machine {
  return { platform: process.platform, program: "/usr/bin/sandbox-exec" };
}

interface Seat extends Machine {
  readonly probed: () => Promise<Probe>;
}

/** `macosSandbox` on a machine that may be another one. */
export function macosSandboxOn(machine: Seat, options: MacosSandboxOptions = {}): SandboxSource {
  return async (needs) => {
    const { only, required = false } = options;
    if (needs.mode === "full-access") return floor(options.floor);
    const { works, problem } = await machine.probed();
    const sandbox =
      works && only !== "portable-floor" ? await contained(machine, needs, options) : bare(problem, options);
    const isRefused = only !== undefined && only !== sandbox.backend;
    const missing = [...(isRefused ? [`run them in ${only}`] : []), ...unmet(required, sandbox)];
    if (missing.length > 0) throw refusal(missing, problem);
    return sandbox;
  };
}

async function contained({ program }: Machine, needs: SandboxNeeds, options: MacosSandboxOptions): Promise<Sandbox> {
  const { places, floor: surroundings } = options;
  const roots = await rootsOf(needs, places);
  const sandbox = floor({
    ...surroundings,
    ...{ backend, enforces, wrapperSets: ["temp"] },
    wrap: (request) => wrapCommand(request, { program, places }),
  });
  return { ...sandbox, boundary: { roots, missing: gaps } };
}

/** What commands of the run may write beside the workspace. */
async function rootsOf(
  { workspace, mode }: SandboxNeeds,
  places: PlacesOptions | undefined,
): Promise<readonly string[]> {
  const { writable, undo } = await placesOf({ argv: ["true"], cwd: workspace, mode }, places);
  await undo();
  return writable.filter((path) => path !== workspace);
}

function bare(problem: string | null, options: MacosSandboxOptions): Sandbox {
  const why = problem ?? "Seatbelt was not asked for.";
  const missing = [`Commands may write, read and dial whatever the user may: ${why}`];
  return { ...floor(options.floor), boundary: { roots: [], missing } };
}

function refusal(missing: readonly string[], problem: string | null): SandboxError {
  const reason = problem ?? "Seatbelt holds no more than it says.";
  return new SandboxError("requirement-unmet", `Could not ${missing.join(", nor ")}, as required: ${reason}`);
}
