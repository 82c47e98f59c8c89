import { EventEmitter, once } from "node:events";
import type { Socket } from "node:net";
import { fakeClock } from "@harness/testing";
import { describe, expect, it } from "vitest";
import {
  allClosed,
  answering,
  chunk,
  failure,
  head,
  patient,
  providerAt,
  request,
  serveSockets,
} from "./fake-wire.test-support.js";

const deadlines = { totalMs: 1_000, connectMs: 10, firstByteMs: 100, idleMs: 50, lingerMs: 5 };

describe("a deadline", () => {
  it("passes while a connection is made: timeout, and the socket is given up", async () => {
    const clock = fakeClock();
    const seen = new EventEmitter();
    // Raw sockets that never shake hands.
    const base = await serveSockets((socket) => seen.emit("socket", socket));
    const secure = base.replace("http:", "https:");
    const [[socket], error] = await Promise.all([
      once(seen, "socket").then(async (sockets) => {
        await clock.advance(10);
        return sockets as [Socket];
      }),
      failure(providerAt(secure, { clock, deadlines }).complete(request, patient())),
    ]);

    expect(error).toMatchObject({ kind: "timeout", isRetryable: true });
    expect(error.message).toMatch(
      /^No connection to acme at 127.* stood within 10 ms.* raise the deadline connectMs\.$/,
    );
    await allClosed([socket]);
    expect(clock.waiting).toBe(0);
  });

  it("passes in silence: timeout", async () => {
    const clock = fakeClock();
    const { base, sockets } = await answering(() => clock.advance(100));
    const error = await failure(providerAt(base, { clock, deadlines }).complete(request, patient()));

    expect(error).toMatchObject({ kind: "timeout", message: expect.stringContaining("had not begun to answer") });
    await allClosed(sockets);
    expect(clock.waiting).toBe(0);
  });

  it("passes when bytes stop and the socket stays open: timeout, with what was counted", async () => {
    const clock = fakeClock();
    const { base, sockets } = await answering((socket) =>
      socket.write(`${head}${chunk("data: used\n\ndata: Hel\n\n")}`),
    );
    const onDelta = () => void clock.advance(50);
    const error = await failure(providerAt(base, { clock, deadlines }).complete(request, { ...patient(), onDelta }));

    expect(error).toMatchObject({ kind: "timeout", usage: { totalTokens: 5 } });
    expect(error.message).toContain("sent nothing for 50 ms in the middle of its answer");
    await allClosed(sockets);
  });

  it("is put off by comments, but not the whole", async () => {
    const clock = fakeClock();
    const { base } = await answering(async (socket) => {
      socket.write(head);
      while (!socket.destroyed) {
        socket.write(chunk(": still here\n\n"));
        await new Promise(setImmediate);
        await clock.advance(20);
      }
    });
    const error = await failure(
      providerAt(base, { clock, deadlines: { ...deadlines, firstByteMs: 900, idleMs: 400 } }).complete(
        request,
        patient(),
      ),
    );

    expect(error).toMatchObject({ kind: "timeout", message: expect.stringContaining("within 1000 ms") });
  });

  it("passes behind a whole answer: the answer", async () => {
    const clock = fakeClock();
    const { base, sockets } = await answering((socket) =>
      socket.write(`${head}${chunk("data: hi\n\ndata: stop\n\n")}`),
    );
    // What finishes the answer is read together with the word.
    const onDelta = () => queueMicrotask(() => clock.advance(5));
    const completion = await providerAt(base, { clock, deadlines }).complete(request, { ...patient(), onDelta });

    expect(completion).toMatchObject({ text: "hi", usage: null });
    await allClosed(sockets);
    expect(clock.waiting).toBe(0);
  });

  it("leaves room for counts that come late", async () => {
    const clock = fakeClock();
    const { base } = await answering(async (socket) => {
      socket.write(`${head}${chunk("data: hi\n\ndata: stop\n\n")}`);
      await new Promise(setImmediate);
      socket.write(`${chunk("data: used\n\ndata: [DONE]\n\n")}`);
    });

    expect(await providerAt(base, { clock, deadlines }).complete(request, patient())).toMatchObject({
      usage: { totalTokens: 5 },
    });
    expect(clock.waiting).toBe(0);
  });
});

it("reads no further than the payload that ends the answer", async () => {
  const { base, sockets } = await answering((socket) => {
    socket.write(`${head}${chunk("data: hi\n\ndata: [DONE]\n\n")}`);
  });

  expect((await providerAt(base).complete(request, patient())).text).toBe("hi");
  await allClosed(sockets);
});
