// Decoding a long stream from loopback by a provider, against the same libraries with nothing around them: undici, the parser of
// events, and JSON.parse of every payload.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { anthropic } from "@harness/providers/anthropic";
import { compatible } from "@harness/providers/compatible";
import type { CompletionRequest, Provider } from "@harness/spec";
import { createParser } from "eventsource-parser";
import { request as ask } from "undici";
import { interleave, timeMs } from "../interleave.js";
import type { Measure, Plan } from "../measure.js";
import { appFolder, recordedStreams } from "../places.js";
import { type Row, ratioAtLeast } from "../row.js";

const usualRounds = 21;
const bytes = 5_000_000;
const program = join(appFolder, "dist", "stream-server-process.js");

interface Wire {
  readonly name: string;
  readonly file: string;
  /** What the payloads have that are repeated. */
  readonly repeated: string;
  open(baseUrl: string): Provider;
}

const common = { model: "recorded", apiKey: "none" };
const wires: readonly Wire[] = [
  {
    name: "Chat",
    file: "groq/reasoning.chunks.txt",
    repeated: '"delta":{"content":"',
    open: (baseUrl) => compatible({ ...common, baseUrl }),
  },
  {
    name: "Messages",
    file: "anthropic/text.chunks.txt",
    repeated: '"type":"text_delta"',
    open: (baseUrl) => anthropic({ ...common, baseUrl }),
  },
];

export const decodeStream: Measure = {
  name: "decode",
  async run(plan) {
    const rows: Row[] = [];
    for (const wire of wires) rows.push(await rowOf(wire, plan));
    return rows;
  },
};

async function rowOf({ name, file, repeated, open }: Wire, plan: Plan): Promise<Row> {
  const server = spawn(process.execPath, [program, join(recordedStreams, file), String(bytes), repeated], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  try {
    const [port] = await once(createInterface({ input: server.stdout }), "line");
    const url = `http://127.0.0.1:${port}`;
    const provider = open(url);
    const medians = await interleave(
      { bare: () => timeMs(() => byHand(url)), ours: () => timeMs(() => complete(provider)) },
      plan.rounds(usualRounds),
    );
    const speed = (ms: number) => bytes / 1_000 / ms;
    return {
      name: `a 5 MB stream, ${name}`,
      unit: "MB/s",
      ours: speed(medians.ours),
      baseline: { name: "undici + parser + JSON.parse", value: speed(medians.bare) },
      target: ratioAtLeast(0.6),
    };
  } finally {
    server.stdin.end();
  }
}

const request: CompletionRequest = { system: "Say much.", messages: [{ role: "user", text: "Go on." }], tools: [] };

async function complete(provider: Provider): Promise<void> {
  let length = 0;
  const onDelta: NonNullable<Parameters<Provider["complete"]>[1]["onDelta"]> = (delta) => {
    if (delta.type === "text") length += delta.text.length;
  };
  const { text } = await provider.complete(request, { signal: new AbortController().signal, onDelta });
  if (text === null || text.length !== length) throw new Error("The stream was not decoded whole.");
}

async function byHand(url: string): Promise<void> {
  const { body } = await ask(url, { method: "POST", body: "{}" });
  let events = 0;
  const parser = createParser({
    onEvent({ data }) {
      if (data !== "[DONE]" && JSON.parse(data) !== null) events += 1;
    },
  });
  const decoder = new TextDecoder();
  for await (const chunk of body) parser.feed(decoder.decode(chunk, { stream: true }));
  if (events === 0) throw new Error("The stream had no events.");
}
