// What every event has. Facts are ours; `content` holds every text that a person, a model or a tool wrote, and nothing else
// does, so that retention can empty it and leave the rest.

export interface Envelope<Type extends string> {
  readonly type: Type;
  /** Position in the run's stream, contiguous from 1. Never used as a name: positions (`step.index`) are. */
  readonly seq: number;
  /** The step it belongs to; 0 before the first. */
  readonly step: number;
  /** Epoch ms by the driver's clock, never less than the event before. */
  readonly at: number;
}

export type Event<Type extends string, Facts = unknown, Content = never> = Envelope<Type> &
  Facts &
  ([Content] extends [never] ? { readonly content?: undefined } : { readonly content: Content });
