// Everything that happens in a run is one of these. Names are added, never changed; readers tolerate those they do not know.
import type { RunLevelEvent } from "./run-events.js";
import type { StepEvent } from "./step-events.js";
import type { SurroundingEvent } from "./surrounding-events.js";
import type { ToolEvent } from "./tool-events.js";

export type RunEvent = RunLevelEvent | StepEvent | ToolEvent | SurroundingEvent;
export type RunEventType = RunEvent["type"];

/** The event of one type: `EventOf<"tool.finished">`. */
export type EventOf<Type extends RunEventType> = Extract<RunEvent, { type: Type }>;

type Unstamped<Item> = Item extends RunEvent ? Omit<Item, "seq" | "at"> : never;
/** An event before the recorder numbers and dates it. */
export type NewEvent = Unstamped<RunEvent>;
