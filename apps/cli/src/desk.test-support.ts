// A folder with everything that a command line may name: a workspace, contracts, policies, provider modules, and a store.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type RunEvent, type RunId, type StoredEvent, unseal } from "@harness/spec";
import { sqliteStore } from "@harness/store-sqlite";
import { main } from "./main.js";
import { type FakeTerminal, type FakeTerminalOptions, fakeTerminal } from "./terminal.test-support.js";

/** What a provider module says, reply by reply; when it has no more, it says that it is done. */
export interface ModuleReply {
  readonly text?: string;
  readonly calls?: readonly { readonly name: string; readonly arguments: object }[];
  /** Never answers, unless it is stopped. */
  readonly hangs?: boolean;
  readonly throws?: string;
}

export interface Desk {
  readonly folder: string;
  file(name: string, content: string | object): string;
  /** Writes a provider module and returns its name. */
  provider(replies: readonly ModuleReply[], endpoints?: readonly string[]): string;
  /** Writes a contract over the workspace `repo` and returns its name. */
  contract(rest?: object): string;
  /** Does what a command line says; `options.env` comes on top of a home of the desk's own. */
  harness(args: readonly string[], options?: FakeTerminalOptions): Promise<Answer>;
  readonly storePath: string;
  /** The log of the newest run, as it is stored. */
  stored(): Promise<{ readonly id: RunId; readonly events: readonly StoredEvent[] }>;
  events(): Promise<readonly RunEvent[]>;
  /** Makes the store hold the newest run's first events only, as if its driver had died behind them. */
  cutAfter(isLast: (event: RunEvent) => boolean): Promise<RunId>;
  [Symbol.dispose](): void;
}

export interface Answer {
  readonly code: number;
  readonly printed: string;
  readonly complained: string;
  readonly terminal: FakeTerminal;
}

export function desk(): Desk {
  const folder = mkdtempSync(join(tmpdir(), "harness-cli-"));
  const storePath = join(folder, "home", "runs.db");
  let modules = 0;
  mkdirSync(join(folder, "repo"));

  const file: Desk["file"] = (name, content) => {
    writeFileSync(join(folder, name), typeof content === "string" ? content : JSON.stringify(content));
    return name;
  };

  async function stored() {
    await using store = sqliteStore({ path: storePath });
    const [head] = await store.runs();
    if (!head) throw new Error("There is no run.");
    const events: StoredEvent[] = [];
    for await (const event of store.read(head.id)) events.push(event);
    return { id: head.id, events };
  }

  return {
    folder,
    storePath,
    file,
    stored,
    provider(replies, endpoints = []) {
      modules += 1;
      return file(`provider-${modules}.mjs`, moduleText(replies, endpoints));
    },
    contract: (rest = {}) => file("contract.json", { goal: "Do it.", workspace: "repo", ...rest }),
    async harness(args, options = {}) {
      const env = { HARNESS_HOME: join(folder, "home"), ...options.env };
      const terminal = fakeTerminal({ cwd: folder, ...options, env });
      const code = await main(args, terminal);
      return { code, printed: terminal.printed(), complained: terminal.complained(), terminal };
    },
    events: async () => (await stored()).events.map((event) => unseal(event)),
    async cutAfter(isLast) {
      const { id, events } = await stored();
      const kept = events.slice(0, events.findIndex((event) => isLast(unseal(event))) + 1);
      rmSync(join(folder, "home"), { recursive: true });
      await using store = sqliteStore({ path: storePath });
      await store.create({ id, root: id, parent: null, createdAt: 1 });
      const lease = await store.acquire(id, "elsewhere:1:dead", 60_000);
      await store.append(lease, id, kept);
      await store.release(lease);
      return id;
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function moduleText(replies: readonly ModuleReply[], endpoints: readonly string[]): string {
  return `
const replies = ${JSON.stringify(replies)};
const usage = { promptTokens: 10, completionTokens: 5, totalTokens: 15, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };
export const provider = {
  spec: 1,
  name: "played",
  endpoints: ${JSON.stringify(endpoints.map((target) => ({ target })))},
  async complete({ messages }, { signal }) {
    const { hangs, throws, ...reply } = replies[messages.filter(({ role }) => role === "assistant").length] ?? { text: "Done." };
    if (throws) throw new Error(throws);
    if (hangs) await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    const stop = reply.calls?.length ? "tool-calls" : "end";
    return { text: null, calls: [], reasoning: null, usage, model: "m", stop, finishReason: null, ttftMs: null, ...reply };
  },
};
`;
}

/** A policy that allows everything in the workspace, as a file holds it. */
export const openPolicy = {
  layers: [],
  defaults: { read: "allow", write: "allow", exec: "allow", net: "deny" },
} as const;
