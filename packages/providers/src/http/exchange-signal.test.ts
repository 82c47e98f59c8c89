import { getEventListeners, once } from "node:events";
import type { Socket } from "node:net";
import type { Clock } from "@harness/spec";
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
  serve,
  serveSockets,
} from "./fake-wire.test-support.js";

describe("a signal", () => {
  /** How `complete` fares when its signal fires in `when`: settled before the event loop turns once. */
  async function stopped(base: string, when: (stop: () => void) => { readonly onDelta?: () => void }) {
    const clock = fakeClock();
    const controller = new AbortController();
    const reason = new Error("enough");
    const turned: Promise<unknown>[] = [];
    const options = when(() => {
      controller.abort(reason);
      turned.push(new Promise((resolve) => setImmediate(resolve, "still open")));
    });
    const asked = failure(providerAt(base, { clock }).complete(request, { signal: controller.signal, ...options }));
    await once(controller.signal, "abort");
    const error = await Promise.race([asked, ...turned]);
    expect(error).toMatchObject({ kind: "cancelled", isRetryable: false, cause: reason });
    expect([clock.waiting, getEventListeners(controller.signal, "abort").length]).toEqual([0, 0]);
    return asked;
  }

  it("has fired already: cancelled, and nothing is dialled", async () => {
    let asked = 0;
    const base = await serveSockets(() => {
      asked += 1;
    });
    const signal = AbortSignal.abort("enough");

    expect(await failure(providerAt(base).complete(request, { signal }))).toMatchObject({
      kind: "cancelled",
      cause: "enough",
    });
    expect(asked).toBe(0);
  });

  it("fires before anything is loaded: cancelled", async () => {
    await stopped("http://127.0.0.1:1", (stop) => {
      queueMicrotask(stop);
      return {};
    });
  });

  it("fires while a connection is made: cancelled, and the socket is given up", async () => {
    const sockets: Socket[] = [];
    let stopNow = () => {};
    const base = await serveSockets((socket) => {
      sockets.push(socket);
      stopNow();
    });
    await stopped(base.replace("http:", "https:"), (stop) => {
      stopNow = stop;
      return {};
    });
    await allClosed(sockets);
  });

  it("fires in silence: cancelled, and the socket is destroyed", async () => {
    let stopNow = () => {};
    const { base, sockets } = await answering(() => stopNow());
    await stopped(base, (stop) => {
      stopNow = stop;
      return {};
    });
    await allClosed(sockets);
  });

  it("fires in the middle of an answer: cancelled, and no delta follows, not even of the same chunk", async () => {
    let deltas = 0;
    const { base, sockets } = await answering((socket) => socket.write(`${head}${chunk("data: a\n\ndata: b\n\n")}`));
    await stopped(base, (stop) => ({
      onDelta: () => {
        deltas += 1;
        stop();
      },
    }));
    await allClosed(sockets);

    expect(deltas).toBe(1);
  });

  it("fires while the body of a failed answer is read: cancelled", async () => {
    const controller = new AbortController();
    const time = fakeClock();
    // The alarm for the rest of the body is set when the head is there.
    const alarm: Clock["alarm"] = (ms, ring) => {
      if (ms === 5_000) queueMicrotask(() => controller.abort());
      return time.alarm(ms, ring);
    };
    const { base, sockets } = await answering((socket) => {
      socket.write("HTTP/1.1 500 Oh\r\ncontent-length: 9\r\n\r\nha");
    });
    const { complete } = providerAt(base, { clock: { ...time, alarm } });

    expect(await failure(complete(request, { signal: controller.signal }))).toMatchObject({ kind: "cancelled" });
    await allClosed(sockets);
  });

  it("fires when the answer is whole: the answer", async () => {
    const { base } = await answering((socket) => socket.write(`${head}${chunk("data: stop\n\ndata: hi\n\n")}`));
    const controller = new AbortController();
    const onDelta = () => controller.abort();

    expect(await providerAt(base).complete(request, { signal: controller.signal, onDelta })).toMatchObject({
      text: "hi",
    });
  });

  it("of one of two requests leaves the other alone", async () => {
    const base = await serve((_, response) => {
      response.write("data: hi\n\n");
      setImmediate(() => response.end("data: there\n\ndata: [DONE]\n\n"));
    });
    const { complete } = providerAt(base);
    const controller = new AbortController();
    const [error, completion] = await Promise.all([
      failure(complete(request, { signal: controller.signal, onDelta: () => controller.abort() })),
      complete(request, patient()),
    ]);

    expect([error.kind, completion.text]).toEqual(["cancelled", "hithere"]);
  });

  it("may serve many requests at once without being taken for a leak", async () => {
    const { base } = await answering(() => {});
    const { complete } = providerAt(base);
    const controller = new AbortController();
    const asked = Array.from({ length: 12 }, () => failure(complete(request, { signal: controller.signal })));
    expect(getEventListeners(controller.signal, "abort")).toHaveLength(1);
    controller.abort();

    expect(new Set((await Promise.all(asked)).map(({ kind }) => kind))).toEqual(new Set(["cancelled"]));
    expect(getEventListeners(controller.signal, "abort")).toHaveLength(0);
  });
});
