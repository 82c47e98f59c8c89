import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { inspect } from "node:util";
import type { Delta } from "@harness/spec";
import { fakeClock } from "@harness/testing";
import { describe, expect, it } from "vitest";
import { failure, fakeWire, key, patient, providerAt, request, serve, streams } from "./fake-wire.test-support.js";

describe("an http provider", () => {
  it("streams an answer, and says what the vendor calls the exchange", async () => {
    const base = await serve((incoming, response) => {
      response.setHeader("x-request-id", "req_7");
      streams("Hel", "lo", "used", "stop", "[DONE]", "late")(incoming, response);
    });
    const deltas: Delta[] = [];
    const completion = await providerAt(base).complete(request, {
      ...patient(),
      onDelta: (delta) => deltas.push(delta),
    });

    expect(completion).toMatchObject({ text: "Hello", requestId: "req_7", usage: { totalTokens: 5 }, model: "m1" });
    expect(deltas.map((delta) => delta.type === "text" && delta.text)).toEqual(["Hel", "lo"]);
  });

  it("counts the time to the first word from before the socket opens, and from nothing but words", async () => {
    const clock = fakeClock();
    const base = await serve(async (_, response) => {
      await clock.advance(40);
      response.write(": hello\n\ndata: used\n\n");
      await clock.advance(2);
      response.end("data: hi\n\ndata: [DONE]\n\n");
    });

    expect(await providerAt(base, { clock }).complete(request, patient())).toMatchObject({ ttftMs: 42 });
  });

  it("posts what the wire encoded behind the prefix, with its headers, and asks for a stream", async () => {
    const seen: {
      readonly method: unknown;
      readonly url: unknown;
      readonly headers: unknown;
      readonly body: string;
    }[] = [];
    const base = await serve(async (incoming, response) => {
      const { method, url, headers } = incoming;
      seen.push({ method, url, headers, body: await bodyOf(incoming) });
      streams("hi", "[DONE]")(incoming, response);
    });
    await providerAt(`${base}/v1/?api-version=3`).complete({ ...request, model: "m2" }, patient());

    expect(seen).toMatchObject([
      {
        ...{ method: "POST", url: "/v1/ask?api-version=3", body: '{"model":"m2","count":1}' },
        headers: {
          "content-type": "application/json",
          accept: "text/event-stream",
          authorization: `Bearer ${key}`,
          "user-agent": "io-harness",
          "content-length": "24",
        },
      },
    ]);
  });

  it("accepts one JSON body instead of a stream, whatever it is labelled", async () => {
    const labels = ["application/json", "text/event-stream", "text/plain"];
    const base = await serve((incoming, response) => {
      response.writeHead(200, { "content-type": labels[Number(incoming.url?.at(1))] ?? "" }).end(' \n {"a":"é"} ');
    });
    const texts = await Promise.all(
      labels.map((_, at) =>
        providerAt(`${base}/${at}`)
          .complete(request, patient())
          .then(({ text }) => text),
      ),
    );

    expect(texts).toEqual(Array(3).fill('{"a":"é"}'));
  });

  it("reads a stream that is labelled as JSON", async () => {
    const base = await serve((_, response) => {
      response.writeHead(200, { "content-type": "application/json" }).end(": hello\n\ndata: hi\n\ndata: [DONE]");
    });

    expect((await providerAt(base).complete(request, patient())).text).toBe("hi");
  });

  it("takes a web page or broken JSON with a status of 200 for malformed", async () => {
    const bodies = ["<html><title>Sign in</title></html>", '{"half":', ""];
    const base = await serve((incoming, response) => {
      response.end(bodies[Number(incoming.url?.at(1))]);
    });
    const errors = await Promise.all(
      bodies.map((_, at) => failure(providerAt(`${base}/${at}`).complete(request, patient()))),
    );

    expect(errors.map(({ kind, vendorCode }) => [kind, vendorCode])).toEqual([
      ["malformed", "web_page"],
      ["malformed", "bad_json"],
      ["malformed", "truncated"],
    ]);
  });

  it("gives up an event that is longer than any can be", async () => {
    const base = await serve((_, response) => {
      response.write("data: ");
      const more = () => {
        while (response.write("x".repeat(1024 * 1024)));
        response.once("drain", more);
      };
      more();
    });

    expect(await failure(providerAt(base).complete(request, patient()))).toMatchObject({
      kind: "malformed",
      vendorCode: "too_long",
    });
  });

  it("reports an error inside the stream with what was counted so far", async () => {
    const base = await serve((incoming, response) => {
      response.setHeader("request-id", "req_9");
      streams("Hel", "used", '{"error":{"type":"overloaded_error","message":"Overloaded"}}')(incoming, response);
    });

    expect(await failure(providerAt(base).complete(request, patient()))).toMatchObject({
      ...{ kind: "server", vendorCode: "overloaded_error", requestId: "req_9", usage: { totalTokens: 5 } },
      isRetryable: true,
    });
  });

  it("takes what no decoder can read for malformed, and does not let its error through", async () => {
    const base = await serve(streams("hi"));
    const wire = {
      ...fakeWire(),
      decoder: (context: never) => ({
        ...fakeWire().decoder(context),
        push() {
          throw new TypeError("payload.choices is not iterable");
        },
      }),
    };

    expect(await failure(providerAt(base, { wire }).complete(request, patient()))).toMatchObject({
      ...{ name: "ProviderError", kind: "malformed", vendorCode: "unreadable" },
      cause: { name: "TypeError" },
    });
  });

  it("names what it dials, and refuses an address, a header or a deadline that cannot be used", () => {
    expect(providerAt("https://api.example.com/v1").endpoints).toEqual([{ target: "api.example.com:443" }]);
    expect(providerAt("http://[::1]:8080").endpoints).toEqual([{ target: "[::1]:8080" }]);
    for (const base of ["nowhere", "ftp://a", "https://me:word@a"]) {
      expect(() => providerAt(base)).toThrow(expect.objectContaining({ code: "config-invalid", path: ["baseUrl"] }));
    }
    expect(() => providerAt("http://a", { headers: { "x-key": `${key}\n` } })).toThrow(/^(?!.*nobody).*"x-key"/);
    expect(() => providerAt("http://a", { deadlines: { idleMs: 0 } })).toThrow(/idleMs/);
  });

  it("shows no key when it is printed or serialised", () => {
    const provider = providerAt("http://localhost:1", { models: async () => [] });

    expect(`${inspect(provider, { depth: 9, showHidden: true })}${JSON.stringify(provider)}`).not.toContain(key);
  });

  it("has no catalogue unless it is given one", () => {
    expect("models" in providerAt("http://localhost:1")).toBe(false);
  });

  it("fetches its catalogue with its key, for everyone who asks, until it succeeds", async () => {
    const asked: unknown[] = [];
    const base = await serve((incoming, response) => {
      asked.push([incoming.method, incoming.url, incoming.headers.authorization]);
      response.writeHead(asked.length === 1 ? 500 : 200).end('{"data":[{"id":"m1"}]}');
    });
    const { models } = providerAt(`${base}/v1`, {
      models: async (fetchJson) => ((await fetchJson("/models?limit=2")) as { data: { id: string }[] }).data,
    });

    await expect(models?.()).rejects.toMatchObject({ code: "provider-failed", kind: "server" });
    await Promise.all([models?.(), models?.()]);
    expect(await models?.()).toEqual([{ id: "m1" }]);
    expect(asked).toEqual(Array(2).fill(["GET", "/v1/models?limit=2", `Bearer ${key}`]));
  });
});

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  let body = "";
  incoming.on("data", (chunk) => {
    body += chunk;
  });
  await once(incoming, "end");
  return body;
}
