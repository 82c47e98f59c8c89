// Where commands run, and what that really keeps from them: its own word for it, one command to see that it runs any, and why
// nothing stronger holds them here.
import type { Sandbox, SandboxOutcome } from "@harness/spec";
import { duration } from "../render/durations.js";
import { boundaries, caps } from "../render/enforcement.js";
import { clip } from "../render/printable.js";
import type { Check, Finding, Report } from "./check.js";
import type { Machine } from "./machine.js";
import type { Rung } from "./native.js";

/** A command that only says its version is stopped after so long. */
const probeTimeoutMs = 15_000;

export const sandboxCheck: Check = {
  title: "Sandbox",
  async examine(machine) {
    const [probed, rungs] = await Promise.all([probe(machine), machine.rungs()]);
    return sandboxReport(machine.sandbox, probed, rungs);
  },
};

export type Probe =
  | { readonly type: "ran"; readonly wallMs: number }
  | { readonly type: "failed"; readonly reason: string };

/** Runs this very Node, the one program that is certain to be here. */
async function probe({ sandbox, node, folder, signal }: Machine): Promise<Probe> {
  try {
    const outcome = await sandbox.run({
      argv: [node.program, "--version"],
      cwd: folder,
      mode: "read-only",
      timeoutMs: probeTimeoutMs,
      signal,
    });
    const isRight = outcome.exitCode === 0 && outcome.stdout.text.trim() === node.version;
    return isRight ? { type: "ran", wallMs: outcome.wallMs } : { type: "failed", reason: oddity(outcome) };
  } catch (error) {
    return { type: "failed", reason: (error as Error).message };
  }
}

function oddity({ exitCode, signal, stopped, stdout, stderr }: SandboxOutcome): string {
  if (stopped === "timeout") return `\`node --version\` did not end within ${probeTimeoutMs / 1_000} seconds`;
  const how = exitCode === null ? `was ended by ${signal}` : `exited ${exitCode}`;
  return `\`node --version\` ${how} and said ${JSON.stringify(clip(stdout.text || stderr.text, 200))}`;
}

export function sandboxReport(
  { backend, enforces, boundary }: Pick<Sandbox, "backend" | "enforces" | "boundary">,
  probed: Probe,
  rungs: readonly Rung[] = [],
): Report {
  const { held, open } = caps(enforces);
  const missing = boundary?.missing ?? [];
  const findings: readonly Finding[] = [
    backendFinding(backend, probed),
    ...strongerFindings(backend, missing, rungs),
    ...boundaries(enforces).map(({ name, holds, text }): Finding => ({ status: holds ? "ok" : "note", name, text })),
    { status: "plain", name: "caps", text: held.join(", ") || "none" },
    ...(open.length === 0 ? [] : [{ status: "plain", name: "no caps on", text: open.join(", ") } as const]),
  ];
  const tried = rungs.map(({ backend, works, problem, gaps }) => ({ backend, works, problem, gaps }));
  return { findings, facts: { backend, enforces, missing, rungs: tried, probe: probed } };
}

/** Why commands are not held more strongly: each way before the one that is taken, and what that one lacks. */
function strongerFindings(backend: string, missing: readonly string[], rungs: readonly Rung[]): readonly Finding[] {
  const at = rungs.findIndex((rung) => rung.backend === backend);
  const stronger = at === -1 ? rungs : rungs.slice(0, at);
  const gaps = rungs[at]?.gaps ?? [];
  const others = rungs.length === 0 ? missing : [];
  return [
    ...stronger.map(({ backend, problem }) =>
      note("stronger", `${backend}: ${problem ?? "works, and does not suit what runs ask"}`),
    ),
    ...[...gaps, ...others].map((gap) => note("missing", gap)),
  ];
}

function note(name: string, text: string): Finding {
  return { status: "note", name, text };
}

function backendFinding(backend: string, probed: Probe): Finding {
  const name = "backend";
  if (probed.type === "ran") {
    return { status: "ok", name, text: `${backend}; \`node --version\` in it took ${duration(probed.wallMs)}` };
  }
  const advice = "Commands cannot be run, so no check can pass. See what the sandbox needs, or choose another backend.";
  return { status: "problem", name, text: `${backend} runs nothing: ${probed.reason}`, advice };
}
