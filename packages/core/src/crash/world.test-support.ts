// A small world for crash tests: tools whose effects are counted, and that survives the death of whoever drives. What it looks
// like is what has been done in it, so it can be put into the state that it had at any event of a log.
import { type AnyTool, callId, defineTool, type RunEvent, sha256, ToolError } from "@harness/spec";
import { z } from "zod";

export interface World {
  /** Values by key, written by `put`. */
  readonly values: Map<string, string>;
  /** What `send` sent, and `notify`: nobody can look it up afterwards. */
  readonly sent: string[];
  /** How often each call was made, by `step.index`. */
  readonly made: Map<string, number>;
  /** How often each reply failed, by its number. */
  readonly failures: Map<number, number>;
  /** Its time, in epoch ms. */
  now: number;
}

export function emptyWorld(): World {
  return { values: new Map(), sent: [], made: new Map(), failures: new Map(), now: 1_000 };
}

/** The world as `events` left it; with `started`, what was under way had happened, too. */
export function worldAt(events: readonly RunEvent[], started: boolean): World {
  const world = emptyWorld();
  world.now = events.at(-1)?.at ?? world.now;
  const inputs = new Map<string, readonly [string, Record<string, unknown>]>();
  for (const event of events) {
    if (event.type === "completion.finished") {
      event.calls.forEach(({ name }, index) => {
        inputs.set(callId(event.step, index + 1), [name, event.content.calls[index]?.arguments ?? {}]);
      });
    }
    if (event.type === "completion.failed") world.failures.set(event.step, (world.failures.get(event.step) ?? 0) + 1);
    if (event.type === "approval.decided" && event.content?.input) {
      inputs.set(event.call, [inputs.get(event.call)?.[0] ?? "", event.content.input]);
    }
    const isMade = started ? isUnderWay(event, events) : event.type === "tool.finished" && event.status === "ok";
    if (isMade && "call" in event && event.call) apply(world, ...(inputs.get(event.call) ?? ["", {}]));
  }
  return world;
}

/** A write cannot have happened before what it writes over is kept. */
function isUnderWay(event: RunEvent, events: readonly RunEvent[]): boolean {
  if (event.type !== "tool.started") return false;
  const written = event.acts.flatMap(({ act }) => (act.type === "write" ? [act.target] : []));
  return written.every((path) => events.some((kept) => kept.type === "file.kept" && kept.path === path));
}

function apply(world: World, name: string, input: Record<string, unknown>): void {
  if (name === "put") world.values.set(String(input.key), String(input.value));
  if (name === "send" || name === "notify") world.sent.push(String(input.text));
}

const at = z.strictObject({ key: z.string() });
const put = z.strictObject({ key: z.string(), value: z.string() });
const text = z.strictObject({ text: z.string() });

export function toolsOf(world: World): readonly AnyTool[] {
  const count = (call: string) => world.made.set(call, (world.made.get(call) ?? 0) + 1);
  const digest = (value: string | undefined) => (value === undefined ? null : sha256(value));
  const putResult = ({ key, value }: z.infer<typeof put>) => ({ text: `${key} is ${value}`, changed: true });
  return [
    defineTool({
      name: "get",
      description: "Reads a value.",
      input: at,
      effect: "read",
      acts: async ({ key }) => [{ type: "read", target: key }],
      async invoke({ key }, { call }) {
        count(call);
        const value = world.values.get(key);
        if (value === undefined) throw new ToolError(`There is no ${key}.`);
        return { text: value };
      },
    }),
    defineTool({
      name: "put",
      description: "Writes a value; whether it did can be looked up.",
      input: put,
      effect: "write",
      acts: async ({ key, value }) => [
        { type: "write", target: key, before: digest(world.values.get(key)), after: sha256(value) },
      ],
      async invoke(input, { call, keep }) {
        const old = world.values.get(input.key);
        await keep(input.key, old === undefined ? null : new TextEncoder().encode(old));
        count(call);
        apply(world, "put", input);
        return putResult(input);
      },
      async probe(input, { granted }) {
        const act = granted[0]?.act;
        if (act?.type !== "write") return { type: "unknown" };
        const now = digest(world.values.get(input.key));
        if (now === act.after) return { type: "done", result: putResult(input) };
        return now === act.before ? { type: "not-done" } : { type: "unknown" };
      },
    }),
    defineTool({
      name: "wait",
      description: "Lets time pass, up to a moment that depends on the step alone.",
      input: z.strictObject({ nth: z.number() }),
      effect: "read",
      async invoke({ nth }, { call }) {
        count(call);
        world.now = Math.max(world.now, 1_000 * (1 + nth));
        return { text: `waited ${nth}` };
      },
    }),
    sender("send", world, count),
    sender("notify", world, count),
    defineTool({
      name: "measure",
      description: "Runs something that may be run again.",
      input: z.strictObject({ text: z.string() }),
      effect: "write",
      recovery: "replayable",
      acts: async ({ text: words }) => [{ type: "exec", target: "measure", argv: ["measure", words] }],
      async invoke({ text: words }, { call }) {
        count(call);
        return { text: `measured ${words}` };
      },
    }),
  ];
}

/** An effect that nobody can look up afterwards. */
function sender(name: string, world: World, count: (call: string) => void) {
  return defineTool({
    name,
    description: "Sends something, once and for all.",
    input: text,
    effect: "write",
    async invoke(input, { call }) {
      count(call);
      apply(world, name, input);
      return { text: `sent ${input.text}` };
    },
  });
}
