// An endpoint that speaks the Chat API as far as the demo needs it: it makes one edit, which is the right one, and is done.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface ChatServer {
  /** What `HARNESS_BASE_URL` holds for it. */
  readonly baseUrl: string;
  /** How often it was asked. */
  readonly asked: () => number;
  [Symbol.asyncDispose](): Promise<void>;
}

const repair = {
  path: "src/agenda.js",
  search: "start + parseDuration(length);",
  replace: "start + Math.ceil(parseDuration(length) / 60);",
};
const edit = { id: "call_1", type: "function", function: { name: "edit_file", arguments: JSON.stringify(repair) } };
const first = {
  message: { role: "assistant", content: "I mend it.", tool_calls: [edit] },
  finish_reason: "tool_calls",
};
const rest = { message: { role: "assistant", content: "Done." }, finish_reason: "stop" };

export async function chatServer(): Promise<ChatServer> {
  let asked = 0;
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      asked += 1;
      const usage = { prompt_tokens: 1_000, completion_tokens: 50, total_tokens: 1_050 };
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ model: "m-1", choices: [asked === 1 ? first : rest], usage }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked: () => asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
