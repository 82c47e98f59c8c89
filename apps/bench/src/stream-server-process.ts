// A vendor for the decoding measure, in a process of its own so that serving takes no time of those who decode: a recorded stream
// whose middle is repeated until it is long. Prints its port, and ends with its standard input.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const [, , file = "", size = "0", isRepeated = ""] = process.argv;
const payloads = readFileSync(file, "utf8").trimEnd().split("\n");
const body = Buffer.from(longStream(payloads, Number(size), isRepeated));

const server = createServer((request, response) => {
  request.resume().on("end", () => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(body);
  });
});
server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port));
process.stdin.resume().on("end", () => process.exit());

/** `payloads` as events, those that hold `mark` again and again in their place until there are `bytes` in all. */
function longStream(payloads: readonly string[], bytes: number, mark: string): string {
  const event = (payload: string) => `data: ${payload}\n\n`;
  const middle = payloads.filter((payload) => payload.includes(mark));
  const first = payloads.findIndex((payload) => payload.includes(mark));
  const head = payloads.slice(0, first).map(event).join("");
  const tail = payloads
    .slice(first)
    .filter((payload) => !payload.includes(mark))
    .map(event)
    .join("");
  const once = middle.map(event).join("");
  const times = Math.ceil((bytes - head.length - tail.length) / once.length);
  return `${head}${once.repeat(times)}${tail}data: [DONE]\n\n`;
}
