// Where commands run, and what that really keeps from them: its own word for it, and one command to see that it runs any.
import type { Enforcement, SandboxOutcome } from "@harness/spec";
import { duration } from "../render/durations.js";
import { boundaries, caps } from "../render/enforcement.js";
import { clip } from "../render/printable.js";
import type { Check, Finding, Report } from "./check.js";
import type { Machine } from "./machine.js";

/** A command that only says its version is stopped after so long. */
const probeTimeoutMs = 15_000;

export const sandboxCheck: Check = {
  title: "Sandbox",
  async examine(machine) {
    const { backend, enforces } = machine.sandbox;
    return sandboxReport(backend, enforces, await probe(machine));
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

export function sandboxReport(backend: string, enforces: Enforcement, probed: Probe): Report {
  const { held, open } = caps(enforces);
  const findings: readonly Finding[] = [
    backendFinding(backend, probed),
    ...boundaries(enforces).map(({ name, holds, text }): Finding => ({ status: holds ? "ok" : "note", name, text })),
    { status: "plain", name: "caps", text: held.join(", ") || "none" },
    ...(open.length === 0 ? [] : [{ status: "plain", name: "no caps on", text: open.join(", ") } as const]),
  ];
  return { findings, facts: { backend, enforces, probe: probed } };
}

function backendFinding(backend: string, probed: Probe): Finding {
  const name = "backend";
  if (probed.type === "ran") {
    return { status: "ok", name, text: `${backend}; \`node --version\` in it took ${duration(probed.wallMs)}` };
  }
  const advice = "Commands cannot be run, so no check can pass. See what the sandbox needs, or choose another backend.";
  return { status: "problem", name, text: `${backend} runs nothing: ${probed.reason}`, advice };
}
