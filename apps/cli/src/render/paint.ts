// Colour, decided once for each stream. Text is the same with and without it.
import pc from "picocolors";
import type { Output } from "../process-terminal.js";

type Painter = (text: string) => string;

export interface Paint {
  readonly bold: Painter;
  readonly dim: Painter;
  readonly red: Painter;
  readonly green: Painter;
  readonly yellow: Painter;
  readonly cyan: Painter;
}

/** Colours for `output`: on a terminal that can show them, unless `NO_COLOR` says no or `FORCE_COLOR` says yes. */
export function paintFor(output: Output, env: Readonly<Record<string, string | undefined>>): Paint {
  return pc.createColors(isColoured(output, env));
}

/** No colour at all. */
export const plain: Paint = pc.createColors(false);

/** Whether text for `output` is coloured. */
export function isColoured(
  { isTTY = false }: Output,
  { NO_COLOR, FORCE_COLOR, TERM }: Record<string, string | undefined>,
): boolean {
  if (NO_COLOR) return false;
  if (FORCE_COLOR) return FORCE_COLOR !== "0";
  return isTTY && TERM !== "dumb";
}
