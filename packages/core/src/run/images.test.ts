import { call, say, scriptedProvider } from "@harness/testing";
import { describe, expect, it } from "vitest";
import { memoryStore } from "../store/memory-store.js";
import { reader } from "../tools/tools.test-support.js";
import { openStage, rowsIn, storeWith } from "./stage.test-support.js";

const stage = openStage();

function picture(bytes = 64) {
  const data = Buffer.alloc(bytes);
  data.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return { mediaType: "image/png", base64: data.toString("base64") } as const;
}

const seeing = (...script: Parameters<typeof scriptedProvider>[0]) => {
  const inner = scriptedProvider(script);
  return { inner, provider: { ...inner, acceptsImages: true } };
};
const imagesOf = ({ inner }: ReturnType<typeof seeing>) =>
  inner.requests.map(({ request }) => request.messages.map((message) => ("images" in message ? message.images : null)));

describe("images of a contract", () => {
  it("are in the first message of every request, and in no other", async () => {
    const images = [picture(), picture(80)];
    const eyes = seeing(call("look"), say("Done."));

    await stage.drive([], { provider: eyes.provider, tools: [reader()], contract: { images } });

    expect(imagesOf(eyes)).toEqual([[images], [images, null, null]]);
  });

  it("are there again when the run is resumed, however large they are", async () => {
    const images = [picture(1024 ** 2)];
    const first = seeing(call("look"));
    const driven = await stage.drive([], {
      provider: first.provider,
      tools: [reader()],
      contract: { images, limits: { maxSteps: 1 } },
    });
    const second = seeing(call("look"), say("Done."));

    const { outcome } = await stage.goOn(driven.store, [], {
      provider: second.provider,
      tools: [reader()],
      limits: { maxSteps: 2 },
    });

    expect(outcome).toEqual({ type: "finished", steps: 2 });
    expect(imagesOf(second)).toEqual([[images, null, null]]);
    const [started] = await rowsIn(driven.store);
    expect(started?.content, "it is a blob").toBeNull();
  });

  it("make another digest of what is asked", async () => {
    const digests = await Promise.all(
      [[picture()], [picture(80)], []].map(async (images) => {
        const { provider } = seeing(say("Done."));
        const { events } = await stage.drive([], { provider, contract: { images } });
        return events.flatMap((event) => (event.type === "completion.started" ? [event.digest] : []));
      }),
    );

    expect(new Set(digests.flat()).size).toBe(3);
  });

  it("are refused before anything is sent or written where the provider takes none", async () => {
    const store = memoryStore();
    const provider = scriptedProvider([say("Done.")]);

    const driven = stage.drive([], { provider, store, contract: { images: [picture()] } });

    await expect(driven).rejects.toMatchObject({ code: "config-invalid", path: ["images"] });
    expect(provider.asked).toBe(0);
    expect(await store.runs()).toEqual([]);
  });

  it("are refused on a resume with a provider that takes none, and the run waits on", async () => {
    const eyes = seeing(call("look"));
    const { store } = await stage.drive([], {
      provider: eyes.provider,
      tools: [reader()],
      contract: { images: [picture()], limits: { maxSteps: 1 } },
    });
    const rows = await rowsIn(store);

    await expect(stage.goOn(await storeWith(rows), [], { limits: { maxSteps: 2 } })).rejects.toMatchObject({
      code: "config-invalid",
    });
    expect(await rowsIn(store)).toEqual(rows);
  });
});

describe("the effort of a contract", () => {
  it("is in every request, and in none where the contract says nothing", async () => {
    const asked = await stage.drive([say("Done.")], { contract: { effort: "high" } });
    const unasked = await stage.drive([say("Done.")]);

    expect(asked.provider.requests.map(({ request }) => request.effort)).toEqual(["high"]);
    expect(unasked.provider.requests[0]?.request).not.toHaveProperty("effort");
  });

  it("is one of three", async () => {
    await expect(stage.drive([], { contract: { effort: "most" as never } })).rejects.toMatchObject({
      path: ["effort"],
    });
  });
});
