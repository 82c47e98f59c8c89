// What a room may conclude from state alone, without an effect. Rooms add the effects of their own to this.
import type { NewEvent } from "@harness/spec";

/** These events follow from the state; recording them is all there is to do. */
export interface Conclusion {
  readonly type: "record";
  readonly events: readonly NewEvent[];
}

export function conclude(...events: readonly NewEvent[]): Conclusion {
  return { type: "record", events };
}
