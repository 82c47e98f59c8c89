// The guide quotes what errors say. Here each of them is brought about, and must say that and nothing else.
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { compatible } from "./compatible.js";

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

const status =
  (code: number, body = "", headers = {}): Answer =>
  (response) =>
    response.writeHead(code, headers).end(body);
const error = (message: string, more = {}) => JSON.stringify({ error: { message, ...more } });
const stream =
  (...payloads: readonly string[]): Answer =>
  (response) =>
    response.writeHead(200, { "content-type": "text/event-stream" }).end(payloads.map(event).join(""));
const event = (payload: string) => `data: ${payload}\n\n`;
const half = '{"choices":[{"delta":{"content":"Hal"}}]}';
/** Half an answer, and then whatever `next` does. */
const begun =
  (next: (request: IncomingMessage) => void): Answer =>
  (response, request) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(event(half), () => setImmediate(() => next(request)));
  };

/** In the order of the guide. */
const answers: readonly Answer[] = [
  status(401, error("Incorrect API key provided: sk-abcdefghijklmnop.", { code: "invalid_api_key" })),
  status(403, error("Your key may not use this model.", { type: "permission_error" })),
  status(402, error("Insufficient credits")),
  status(429, error("You exceeded your current quota", { code: "insufficient_quota" })),
  status(429, error("Slow down", { type: "rate_limit_error" }), { "retry-after": "7" }),
  status(529, error("Overloaded", { type: "overloaded_error" })),
  status(502, "<html><head><title>502 Bad Gateway</title></head></html>"),
  status(400, error("messages.0: bad", { type: "invalid_request_error" })),
  status(404, error("The model m does not exist.", { code: "model_not_found" })),
  status(301, "", { location: "https://elsewhere.example/" }),
  status(400, error("This model's maximum context length is 8192 tokens.", { code: "context_length_exceeded" })),
  status(413, error("Request too large")),
  status(400, error("Failed to call a function", { code: "tool_use_failed" })),
  stream(error("busy", { code: 429 })),
  stream(half),
  stream('{"choices":[{"del'),
  stream("[DONE]"),
  status(200, "<html>Sign in</html>", { "content-type": "text/html" }),
  begun((request) => request.socket.destroy()),
];
/** Of these nothing more comes: a deadline ends the wait, and only here may it be short. */
const silences: readonly Answer[] = [() => {}, begun(() => {})];

let answer: Answer;
const server = createServer((request, response) => {
  request.resume().on("end", () => answer(response, request));
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const common = { name: "acme", model: "m", apiKey: "sk-abcdefghijklmnop" } as const;

async function message(baseUrl: string, signal = new AbortController().signal): Promise<string> {
  const request = { system: "", messages: [{ role: "user", text: "Hello." }], tools: [] } as const;
  const deadlineMs = silences.includes(answer) ? 300 : 30_000;
  return compatible({ ...common, baseUrl, deadlines: { firstByteMs: deadlineMs, idleMs: deadlineMs } })
    .complete(request, { signal })
    .then(
      () => "It answered.",
      (failure: Error) => failure.message,
    );
}

function thrown(act: () => unknown): string {
  try {
    act();
    return "It was set up.";
  } catch (failure) {
    return (failure as Error).message;
  }
}

it("says of every failure what the guide to troubleshooting says that it says", async () => {
  const said: string[] = [];
  const { port } = server.address() as AddressInfo;
  for (answer of [...answers, ...silences]) said.push(await message(`http://127.0.0.1:${port}/v1`));
  said.push(await message("http://127.0.0.1:9/v1"), await message("http://nowhere.invalid/v1"));
  said.push(await message("http://nowhere.invalid/v1", AbortSignal.abort("enough")));
  said.push(thrown(() => compatible({ preset: "groq", model: "m" })));
  said.push(thrown(() => compatible({ model: "m" })));

  expect(said).toEqual(quoted(readFileSync(new URL("../../../docs/troubleshooting.md", import.meta.url), "utf8")));
});

/** The first column of every table. */
function quoted(guide: string): readonly string[] {
  return guide.split("\n").flatMap((line) => /^\| `([^`]*)` \| /.exec(line)?.[1] ?? []);
}
