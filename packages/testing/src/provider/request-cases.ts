// Promises about what is sent: the model, the credential, a transcript that every vendor accepts, and nothing at all when a request
// cannot be sent.
import type { CallId, Message, ToolCall } from "@harness/spec";
import { expect } from "vitest";
import { refusedAsMisuse } from "./observe.js";
import { askedModel, type Cases, type Subject } from "./subject.js";

function toolNamed(name: string) {
  return { name, description: `Does ${name}.`, parameters: { type: "object", properties: {} } };
}

function callNamed(name: string, position: string, vendorId?: string): ToolCall {
  return { id: position as CallId, name, arguments: { path: position }, ...(vendorId !== undefined && { vendorId }) };
}

const first = callNamed("read_file", "1.0", "vendor-1");
const second = callNamed("list_dir", "1.1", "vendor-2");
const begin: Message = { role: "user", text: "Look around." };
const asked: Message = { role: "assistant", text: "Looking.", calls: [first, second] };
const tools = [toolNamed("read_file"), toolNamed("list_dir")];
const answers = [
  { call: second.id, content: "b.ts", isError: true },
  { call: first.id, content: "" },
];

async function heard({ vendor, wire, speak, ask }: Subject, request: Parameters<Subject["ask"]>[0]) {
  speak({ text: ["Fine."] });
  await ask(request);
  return wire.hear(vendor.taken.at(-1)?.body ?? "");
}

async function sendsNothing(subject: Subject, messages: readonly Message[]): Promise<void> {
  subject.speak({ text: ["Fine."] });
  await refusedAsMisuse(subject.ask({ messages, tools }));
  expect(subject.vendor.taken).toEqual([]);
}

export const requestCases: Cases = {
  "says beforehand where it will dial": async ({ provider, vendor }) => {
    expect(provider.spec).toBe(1);
    expect(provider.name).toMatch(/\S/);
    expect(provider.endpoints.map(({ target }) => target)).toContain(new URL(vendor.origin).host);
  },

  "posts JSON to where the API expects it, with the credential in a header": async (subject) => {
    const said = await heard(subject, {});
    const { method, path, headers = {} } = subject.vendor.taken[0] ?? {};

    expect(said).toMatchObject({ model: askedModel, isStream: true, calls: [], results: [] });
    expect({ method, path }).toEqual({ method: "POST", path: `/v1${subject.wire.path}` });
    expect(headers["content-type"]).toMatch(/^application\/json/);
    expect(Object.values(headers).some((value) => value.includes(subject.apiKey))).toBe(true);
  },

  "asks the model that the request names": async (subject) => {
    expect(await heard(subject, { model: "another-model" })).toMatchObject({ model: "another-model" });
  },

  "leaves out the list of tools when there are none": async (subject) => {
    await heard(subject, {});

    expect(JSON.parse(subject.vendor.taken[0]?.body ?? "")).not.toHaveProperty("tools");
  },

  "sends the same bytes for the same request": async (subject) => {
    const messages: readonly Message[] = [begin, asked, { role: "results", results: answers }];
    await heard(subject, { messages, tools });
    await heard(subject, { messages, tools });
    const [one, two] = subject.vendor.taken.map(({ body }) => body);

    expect(one).toBe(two);
  },

  "puts the results of a turn behind its calls, in the calls' order": async (subject) => {
    const messages: readonly Message[] = [begin, asked, { role: "results", results: answers }];
    const { calls, results, isPaired } = await heard(subject, { messages, tools });

    expect(calls.map(({ name, input }) => ({ name, input }))).toEqual([
      { name: "read_file", input: { path: "1.0" } },
      { name: "list_dir", input: { path: "1.1" } },
    ]);
    expect(results.map(({ id }) => id)).toEqual(calls.map(({ id }) => id));
    expect(results[0]?.content).toMatch(/\S/);
    expect(results[1]?.content).toContain("b.ts");
    expect(isPaired).toBe(true);
  },

  "sends no transcript in which a call has no result": async (subject) => {
    await sendsNothing(subject, [begin, asked]);
    await sendsNothing(subject, [begin, asked, { role: "results", results: answers.slice(1) }]);
    await sendsNothing(subject, [begin, asked, begin, { role: "results", results: answers }]);
  },

  "sends no transcript in which a call has two results": async (subject) => {
    await sendsNothing(subject, [begin, asked, { role: "results", results: [...answers, ...answers.slice(1)] }]);
  },

  "gives tools names that every vendor takes, and their own names back": async (subject) => {
    const names = ["fs.read", "fs_read", "fs/read", "über-tool", "x".repeat(80), `${"x".repeat(80)}y`];
    const [sent = []] = [(await heard(subject, { tools: names.map(toolNamed) })).tools];

    expect(sent.filter((name) => !/^[A-Za-z0-9_-]{1,64}$/.test(name))).toEqual([]);
    expect(new Set(sent).size).toBe(names.length);

    subject.speak({ calls: sent.map((name, index) => ({ id: `call_${index}`, name, input: "{}" })) });
    const { calls } = await subject.ask({ tools: names.map(toolNamed) });

    expect(calls.map(({ name }) => name)).toEqual(names);
  },

  "sends no half of a character": async (subject) => {
    const messages: readonly Message[] = [
      { role: "user", text: "cut \ud83d here" },
      { role: "assistant", text: "and \ude00 there", calls: [first] },
      { role: "results", results: [{ call: first.id, content: "\ud83d" }] },
    ];
    await heard(subject, { system: "\ude00", messages, tools });

    expect(subject.vendor.taken[0]?.body).not.toMatch(/\\ud[89a-f]/i);
    expect(subject.vendor.taken[0]?.body).toContain("cut \ufffd here");
  },
};
