import { describe, expect, it } from "vitest";
import { chatModels } from "./models.js";

describe("the catalogue of a chat endpoint", () => {
  it("says of each model what the vendor says of it", async () => {
    const asked: string[] = [];
    const data = [
      { id: "a", context_length: 1_000, top_provider: { max_completion_tokens: 100 } },
      { id: "b", context_window: 2_000, max_completion_tokens: 200 },
      { id: "c", max_model_len: 3_000, context_length: null },
      { id: "d", context_length: 0 },
      { name: "no id" },
      null,
    ];

    const models = await chatModels(async (path) => {
      asked.push(path);
      return { object: "list", data };
    });

    expect(asked).toEqual(["/models"]);
    expect(models).toEqual([
      { id: "a", contextTokens: 1_000, maxOutputTokens: 100 },
      { id: "b", contextTokens: 2_000, maxOutputTokens: 200 },
      { id: "c", contextTokens: 3_000 },
      { id: "d" },
    ]);
  });

  it.each([null, {}, "no list", { data: 5 }])("is empty for %j", async (body) => {
    expect(await chatModels(async () => body)).toEqual([]);
  });
});
