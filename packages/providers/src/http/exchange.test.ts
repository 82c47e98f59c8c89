import { createServer as createTlsServer } from "node:https";
import type { Clock } from "@harness/spec";
import { fakeClock } from "@harness/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  allClosed,
  answering,
  chunk,
  failure,
  head,
  key,
  listening,
  patient,
  providerAt,
  request,
  serve,
  streams,
} from "./fake-wire.test-support.js";
import { selfSigned } from "./self-signed.test-support.js";

describe("what the network does", () => {
  it("nothing listens: transport, with what to do", async () => {
    const error = await failure(providerAt("http://127.0.0.1:1").complete(request, patient()));

    expect(error).toMatchObject({ kind: "transport", isRetryable: true });
    expect(error.message).toContain("at 127.0.0.1:1 (ECONNREFUSED): nothing listens there. Start the server");
  });

  it("no such host: transport", async () => {
    const error = await failure(providerAt("http://nobody.invalid/v1").complete(request, patient()));

    expect(error).toMatchObject({ kind: "transport" });
    expect(error.message).toMatch(/at nobody\.invalid:80 \((ENOTFOUND|EAI_AGAIN)\)/);
  });

  it("a certificate nobody trusts: transport, and nothing of the request is sent", async () => {
    let asked = 0;
    const server = createTlsServer(selfSigned(), () => {
      asked += 1;
    });
    onTestFinished(() => void server.close());
    const base = (await listening(server)).replace("http:", "https:");
    const error = await failure(providerAt(base).complete(request, patient()));

    expect([error.kind, asked]).toEqual(["transport", 0]);
    expect(error.message).toContain("(DEPTH_ZERO_SELF_SIGNED_CERT): its certificate is not trusted.");
  });

  it("the socket is reset in the middle: transport, with what was counted", async () => {
    const { base } = await answering((socket) => {
      socket.write(`${head}${chunk("data: Hel\n\ndata: used\n\n")}`, () => socket.resetAndDestroy());
    });

    expect(await failure(providerAt(base).complete(request, patient()))).toMatchObject({
      ...{ kind: "transport", usage: { totalTokens: 5 } },
      message: expect.stringContaining("The answer of acme broke off"),
    });
  });

  it("the socket closes in the middle: transport; behind a whole answer: the answer", async () => {
    const { base } = await answering((socket) => socket.end(`${head}${chunk("data: Hel\n\n")}`));
    const whole = await answering((socket) => socket.end(`${head}${chunk("data: Hel\n\ndata: stop\n\ndata: {us")}`));

    expect(await failure(providerAt(base).complete(request, patient()))).toMatchObject({ kind: "transport" });
    expect((await providerAt(whole.base).complete(request, patient())).text).toBe("Hel");
  });

  it("the body ends in the middle of the answer: malformed", async () => {
    const { base } = await answering((socket) => socket.end(`${head}${chunk("data: Hel\n\n")}0\r\n\r\n`));

    expect(await failure(providerAt(base).complete(request, patient()))).toMatchObject({ vendorCode: "truncated" });
  });

  it("it is not HTTP: transport", async () => {
    const { base } = await answering((socket) => socket.end("SSH-2.0-OpenSSH_9.6\r\n"));

    expect(await failure(providerAt(base).complete(request, patient()))).toMatchObject({ kind: "transport" });
  });

  it("a redirect: not followed", async () => {
    let asked = 0;
    const other = await serve((_, response) => {
      asked += 1;
      response.end();
    });
    const base = await serve((_, response) => {
      response.writeHead(302, { location: `${other}/elsewhere` }).end();
    });

    expect(await failure(providerAt(base).complete(request, patient()))).toMatchObject({
      kind: "request",
      status: 302,
    });
    expect(asked).toBe(0);
  });

  it("a kept connection serves the next request", async () => {
    const { base, sockets } = await answering((socket) => {
      const answer = `${head}${chunk("data: hi\n\ndata: [DONE]\n\n")}0\r\n\r\n`;
      socket.write(answer);
      socket.on("data", () => socket.write(answer));
    });
    const { complete } = providerAt(base);
    await complete(request, patient());
    await new Promise(setImmediate);
    await complete(request, patient());

    expect(sockets).toHaveLength(1);
  });
});

describe("a failed answer", () => {
  it("counts a date in retry-after from the clock", async () => {
    const base = await serve((_, response) => {
      response.writeHead(429, { "retry-after": "Thu, 01 Jan 2026 00:00:30 GMT" }).end();
    });

    expect(await failure(providerAt(base, { clock: fakeClock() }).complete(request, patient()))).toMatchObject({
      ...{ kind: "rate-limited", retryAfterMs: 30_000, status: 429 },
    });
  });

  it("is asked for once", async () => {
    let asked = 0;
    const base = await serve((_, response) => {
      asked += 1;
      response.writeHead(401).end();
    });

    expect(await failure(providerAt(base).complete(request, patient()))).toMatchObject({ kind: "auth" });
    expect(asked).toBe(1);
  });

  it("is read as far as it came, when its body never ends", async () => {
    const time = fakeClock();
    // The alarm for what lingers is set when the head is there; the body has come with it.
    const alarm: Clock["alarm"] = (ms, ring) => {
      if (ms === 5_000) queueMicrotask(() => time.advance(5_000));
      return time.alarm(ms, ring);
    };
    const { base } = await answering((socket) => {
      socket.write("HTTP/1.1 503 Busy\r\ncontent-length: 100\r\n\r\nAll busy");
    });
    const error = await failure(providerAt(base, { clock: { ...time, alarm } }).complete(request, patient()));

    expect(error).toMatchObject({ kind: "server", status: 503, message: "acme answered 503: All busy." });
  });

  it("is read no further than 64 KiB", async () => {
    const { base, sockets } = await answering((socket) => {
      socket.write(`HTTP/1.1 500 Oh\r\ncontent-length: 10000000\r\n\r\n${"x".repeat(100_000)}`);
    });
    const error = await failure(providerAt(base).complete(request, patient()));

    expect([error.status, error.message.length < 3_000]).toEqual([500, true]);
    await allClosed(sockets);
  });

  it("holds no key, wherever the vendor echoes it", async () => {
    const base = await serve((_, response) => {
      response.writeHead(401, { "x-request-id": `id-${key}`, "x-gateway": key });
      response.end(JSON.stringify({ error: { message: `No such key: ${key}`, code: key } }));
    });
    const broken = await serve(streams(`{"error":{"code":"${key}","message":"${key}"}}`));
    const errors = await Promise.all([base, broken].map((at) => failure(providerAt(at).complete(request, patient()))));

    for (const { message, vendorCode, requestId, stack, cause } of errors) {
      expect([message, vendorCode, requestId, stack, cause].join()).not.toContain(key);
    }
    expect(errors.map(({ vendorCode }) => vendorCode)).toEqual(["[redacted]", "[redacted]"]);
  });
});
