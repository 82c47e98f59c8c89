// A recording in a folder of its own, and questions to record and replay.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Completion,
  type CompletionRequest,
  callId,
  type Delta,
  type Message,
  type Provider,
} from "@harness/spec";
import { afterEach } from "vitest";

/** A path in a new folder, removed after the test that asked for it. */
export function freshPath(name = "run.jsonl"): string {
  const folder = mkdtempSync(join(tmpdir(), "recording-"));
  folders.push(folder);
  return join(folder, name);
}

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

export const user = (text: string): Message => ({ role: "user", text });

/** Two messages: a call of the assistant's and its result. */
export function called(content: string): readonly Message[] {
  const id = callId(1, 0);
  return [
    {
      role: "assistant",
      text: "Let me look.",
      calls: [{ id, name: "read", arguments: { path: "a.ts" }, vendorId: "call_1" }],
      continuation: { provider: "a", model: "m", data: { items: ["sealed"] } },
    },
    { role: "results", results: [{ call: id, content }] },
  ];
}

export function asking(...messages: readonly Message[]): CompletionRequest {
  const tools = [{ name: "read", description: "Reads.", parameters: { type: "object" } }];
  return { system: "Be brief.", messages, tools, cacheThrough: messages.length - 1 };
}

export interface Asked {
  readonly completion?: Completion;
  readonly error?: unknown;
  readonly deltas: readonly Delta[];
}

export async function ask(provider: Provider, request: CompletionRequest): Promise<Asked> {
  const deltas: Delta[] = [];
  const options = { signal: new AbortController().signal, onDelta: (delta: Delta) => deltas.push(delta) };
  const settled = await provider.complete(request, options).then(
    (completion) => ({ completion }),
    (error: unknown) => ({ error }),
  );
  return { ...settled, deltas };
}
