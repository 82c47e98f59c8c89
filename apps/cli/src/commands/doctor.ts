// harness doctor
import type { SandboxSource } from "@harness/spec";
import { examineAll } from "../doctor/check.js";
import { checks } from "../doctor/checks.js";
import { openMachine } from "../doctor/machine.js";
import { sandboxHere } from "../doctor/native.js";
import { exitCodes } from "../exit-codes.js";
import { interruptible } from "../interrupt.js";
import type { Terminal } from "../process-terminal.js";
import { doctorLines, doctorObject, isReady } from "../render/doctor-lines.js";
import { paintFor } from "../render/paint.js";
import { columnsOf } from "../render/style.js";
import { doctorAttack } from "./doctor-attack.js";

export interface DoctorFlags {
  readonly store?: string;
  readonly json?: boolean;
  readonly attack?: boolean;
}

/** `sandboxes`: what runs get by default. */
export async function doctorCommand(
  terminal: Terminal,
  flags: DoctorFlags,
  sandboxes: SandboxSource = sandboxHere(),
): Promise<number> {
  const interrupt = interruptible(terminal, { onFirst: () => {}, onSecond: () => {} });
  const { signal } = interrupt;
  try {
    if (flags.attack) return await doctorAttack(terminal, { isJson: flags.json === true, sandboxes, signal });
    return await examine(terminal, flags, sandboxes, signal);
  } finally {
    interrupt.release();
  }
}

async function examine(
  terminal: Terminal,
  { store, json }: DoctorFlags,
  sandboxes: SandboxSource,
  signal: AbortSignal,
): Promise<number> {
  const { out, env } = terminal;
  await using machine = await openMachine(terminal, { storePath: store, sandboxes, signal });
  const sections = await examineAll(checks, machine);
  if (signal.aborted) return exitCodes.cancelled;
  const style = { paint: paintFor(out, env), columns: columnsOf(out) };
  const lines = json ? [JSON.stringify(doctorObject(sections))] : doctorLines(sections, style);
  out.write(lines.map((line) => `${line}\n`).join(""));
  return isReady(sections) ? exitCodes.done : exitCodes.failed;
}
