// Classic BPF, run as the kernel would: the tests ask what a filter decides, not which instructions it has.

/** A call as the kernel tells a filter of it. */
export interface Call {
  readonly architecture: number;
  readonly number: number;
  /** At most six, 64 bits each. */
  readonly arguments?: readonly bigint[];
}

export function instructionsOf(filter: Uint8Array) {
  const view = new DataView(filter.buffer, filter.byteOffset, filter.byteLength);
  return Array.from({ length: filter.byteLength / 8 }, (_, index) => ({
    code: view.getUint16(index * 8, true),
    yes: view.getUint8(index * 8 + 2),
    no: view.getUint8(index * 8 + 3),
    operand: view.getUint32(index * 8 + 4, true),
  }));
}

/** What the filter returns for the call. Throws where the kernel would not take the filter. */
export function verdictOf(filter: Uint8Array, call: Call): number {
  const program = instructionsOf(filter);
  const said = saidOf(call);
  let word = 0;
  for (let at = 0; at < program.length; at += 1) {
    const { code, yes, no, operand } = program[at] as (typeof program)[number];
    if (code === 0x06) return operand;
    if (code === 0x20) word = said.getUint32(operand, true);
    else at += comparison(code, word, operand) ? yes : no;
  }
  throw new Error("the filter has run past its end");
}

function comparison(code: number, word: number, operand: number): boolean {
  if (code === 0x15) return word === operand;
  if (code === 0x35) return word >= operand;
  if (code === 0x45) return (word & operand) !== 0;
  throw new Error(`the filter has an instruction ${code}`);
}

/** `struct seccomp_data`. */
function saidOf({ architecture, number, arguments: values = [] }: Call): DataView {
  const view = new DataView(new ArrayBuffer(64));
  view.setInt32(0, number, true);
  view.setUint32(4, architecture, true);
  for (const [index, value] of values.entries()) view.setBigUint64(16 + index * 8, value, true);
  return view;
}
