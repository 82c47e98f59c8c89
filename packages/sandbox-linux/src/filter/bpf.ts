// Classic BPF as text with labels, and the bytes that the kernel takes for it. A jump names the label that it goes to and only
// ever goes forwards; what it skips is counted here, and must fit into one byte.

export type Instruction =
  /** Takes the word at `offset` of what the kernel says of a call. */
  | { readonly type: "load"; readonly offset: number }
  /** Goes to `yes` when the word compares so with `value`, else to `no`. Without a label: to the next instruction. */
  | {
      readonly type: "jump";
      readonly when: "equal" | "at-least" | "any-bit";
      readonly value: number;
      readonly yes?: string;
      readonly no?: string;
    }
  /** Ends with `verdict`. */
  | { readonly type: "return"; readonly verdict: number }
  /** Where a jump may go to; no instruction itself. */
  | { readonly type: "label"; readonly name: string };

/** 16 bits, two bytes of jumps, 32 bits. */
const instructionBytes = 8;
const longestJump = 255;

const loadWord = 0x20;
const returnConstant = 0x06;
const jumpCodes = { equal: 0x15, "at-least": 0x35, "any-bit": 0x45 } as const;

/** Throws `RangeError` for a label that is not there, lies behind, or is too far away. */
export function assemble(program: readonly Instruction[]): Uint8Array {
  const places = new Map<string, number>();
  const steps: Exclude<Instruction, { type: "label" }>[] = [];
  for (const instruction of program) {
    if (instruction.type === "label") places.set(instruction.name, steps.length);
    else steps.push(instruction);
  }

  const bytes = new Uint8Array(steps.length * instructionBytes);
  const view = new DataView(bytes.buffer);
  for (const [index, step] of steps.entries()) {
    const [code, yes, no, operand] = encoded(step, (label) => distance(label, index, places));
    const at = index * instructionBytes;
    view.setUint16(at, code, true);
    view.setUint8(at + 2, yes);
    view.setUint8(at + 3, no);
    view.setUint32(at + 4, operand, true);
  }
  return bytes;
}

function encoded(
  step: Exclude<Instruction, { type: "label" }>,
  to: (label: string | undefined) => number,
): readonly [code: number, yes: number, no: number, operand: number] {
  switch (step.type) {
    case "load":
      return [loadWord, 0, 0, step.offset];
    case "return":
      return [returnConstant, 0, 0, step.verdict];
    case "jump":
      return [jumpCodes[step.when], to(step.yes), to(step.no), step.value];
    default:
      return step satisfies never;
  }
}

function distance(label: string | undefined, from: number, places: ReadonlyMap<string, number>): number {
  if (label === undefined) return 0;
  const skipped = (places.get(label) ?? Number.NaN) - from - 1;
  if (skipped >= 0 && skipped <= longestJump) return skipped;
  throw new RangeError(`Could not assemble the filter: instruction ${from} cannot jump to ${label}.`);
}
