// harness doctor
import { examineAll } from "../doctor/check.js";
import { checks } from "../doctor/checks.js";
import { thisMachine } from "../doctor/machine.js";
import { exitCodes } from "../exit-codes.js";
import { interruptible } from "../interrupt.js";
import type { Terminal } from "../process-terminal.js";
import { doctorLines, doctorObject, isReady } from "../render/doctor-lines.js";
import { paintFor } from "../render/paint.js";
import { columnsOf } from "../render/style.js";

export interface DoctorFlags {
  readonly store?: string;
  readonly json?: boolean;
}

export async function doctorCommand(terminal: Terminal, { store, json }: DoctorFlags): Promise<number> {
  const { out, env } = terminal;
  const interrupt = interruptible(terminal, { onFirst: () => {}, onSecond: () => {} });
  try {
    const sections = await examineAll(checks, thisMachine(terminal, store, interrupt.signal));
    if (interrupt.signal.aborted) return exitCodes.cancelled;
    const style = { paint: paintFor(out, env), columns: columnsOf(out) };
    const lines = json ? [JSON.stringify(doctorObject(sections))] : doctorLines(sections, style);
    out.write(lines.map((line) => `${line}\n`).join(""));
    return isReady(sections) ? exitCodes.done : exitCodes.failed;
  } finally {
    interrupt.release();
  }
}
