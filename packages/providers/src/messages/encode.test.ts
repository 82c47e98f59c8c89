import { callId, type JsonObject, type Message, type ToolCall } from "@harness/spec";
import { describe, expect, it } from "vitest";
import { toolNames } from "../transcript/tool-names.js";
import { encoded, request, tools } from "./messages.test-support.js";

const first = callId(1, 1);
const second = callId(1, 2);
const call = (id: typeof first, name: string, more: Partial<ToolCall> = {}): ToolCall => ({
  id,
  name,
  arguments: { path: "a" },
  ...more,
});

const exchange: readonly Message[] = [
  { role: "user", text: "Go." },
  { role: "assistant", text: "I look.", calls: [call(first, "read_file"), call(second, "files.list")] },
  {
    role: "results",
    results: [
      { call: second, content: "", isError: true },
      { call: first, content: "one" },
    ],
  },
];

const messagesOf = (messages: readonly Message[], cacheThrough = 0) =>
  encoded(request({ messages, cacheThrough })).messages as readonly { role: string; content: readonly object[] }[];

describe("the body of a request", () => {
  it("has no more than is asked for", () => {
    expect(encoded(request({ system: " " }))).toEqual({
      model: "claude-sonnet-4-5",
      max_tokens: 8192,
      stream: true,
      messages: [{ role: "user", content: [{ type: "text", text: "Go." }] }],
    });
  });

  it("has everything where this API wants it", () => {
    const mapped = toolNames(tools).toVendor("files.list");
    const body = encoded(request({ messages: exchange, tools, maxOutputTokens: 100 }));

    expect(body).toEqual({
      model: "claude-sonnet-4-5",
      max_tokens: 100,
      stream: true,
      system: [{ type: "text", text: "Be brief.", cache_control: { type: "ephemeral" } }],
      tools: [
        { name: "read_file", description: "Reads a file.", input_schema: tools[0]?.parameters },
        { name: mapped, description: "Lists files.", input_schema: { type: "object", properties: {} } },
      ],
      messages: [
        { role: "user", content: [{ type: "text", text: "Go." }] },
        {
          role: "assistant",
          content: [
            { type: "text", text: "I look." },
            { type: "tool_use", id: "t00010000", name: "read_file", input: { path: "a" } },
            { type: "tool_use", id: "t00010001", name: mapped, input: { path: "a" } },
          ],
        },
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "t00010000", content: "one" },
            { type: "tool_result", tool_use_id: "t00010001", content: "(no output)", is_error: true },
          ],
        },
      ],
    });
    expect(Object.keys(body)).toEqual(["model", "max_tokens", "stream", "system", "tools", "messages"]);
  });

  it("puts what the user says after results into the same message, behind them", () => {
    const messages = messagesOf([...exchange, { role: "user", text: "Hurry." }, { role: "user", text: "Please." }]);

    expect(messages).toHaveLength(3);
    expect(messages[2]?.content.map((block) => ("text" in block ? block.text : "result"))).toEqual([
      "result",
      "result",
      "Hurry.",
      "Please.",
    ]);
  });

  it("answers a call that was denied like any other", () => {
    const denied: readonly Message[] = [
      ...exchange.slice(0, 2),
      { role: "results", results: [first, second].map((id) => ({ call: id, content: "Denied.", isError: true })) },
    ];

    expect(messagesOf(denied)[2]?.content).toMatchObject([{ is_error: true }, { is_error: true }]);
  });

  it("shows images before the text", () => {
    const images = [{ mediaType: "image/png", base64: "AAAA" }] as const;

    expect(messagesOf([{ role: "user", text: "What is it?", images }])[0]?.content).toEqual([
      { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } },
      { type: "text", text: "What is it?" },
    ]);
  });

  it("ends without white space where the model is to go on from its own words", () => {
    const said: Message = { role: "assistant", text: "So \n", calls: [] };
    const [, last] = messagesOf([...exchange.slice(0, 1), said]);
    const [, earlier] = messagesOf([...exchange.slice(0, 1), said, { role: "user", text: "Go on." }]);

    expect(last?.content).toEqual([{ type: "text", text: "So" }]);
    expect(earlier?.content).toEqual([{ type: "text", text: "So \n" }]);
  });

  it("refuses a call without a result", () => {
    expect(() => messagesOf(exchange.slice(0, 2))).toThrow(expect.objectContaining({ code: "config-invalid" }));
  });
});

describe("the cache mark", () => {
  const marks = (messages: readonly Message[], cacheThrough: number) =>
    messagesOf(messages, cacheThrough).flatMap(({ content }, index) =>
      content.flatMap((block, nth) => ("cache_control" in block ? [[index, nth]] : [])),
    );

  it.each([
    [0, []],
    [1, [[0, 0]]],
    [2, [[1, 2]]],
    [3, [[2, 1]]],
    [4, []],
  ])("of %d messages is on the last block of the last of them", (cacheThrough, expected) => {
    expect(marks(exchange, cacheThrough)).toEqual(expected);
  });

  it("stays with its own message when the next one is merged with it", () => {
    expect(marks([...exchange, { role: "user", text: "Hurry." }], 3)).toEqual([[2, 1]]);
  });

  it("is on no message with images", () => {
    const images = [{ mediaType: "image/png", base64: "AAAA" }] as const;

    expect(marks([{ role: "user", text: "What is it?", images }], 1)).toEqual([]);
  });
});

describe("an effort", () => {
  const thinking = (model: string, effort: "low" | "high" = "low") => {
    const { max_tokens, thinking, output_config } = encoded(request({ effort, maxOutputTokens: 10 }), model);
    return { max_tokens, thinking, output_config };
  };

  it.each(["claude-sonnet-4-5-20250929", "claude-opus-4-20250514", "claude-3-7-sonnet-latest", "glm-4.7"])(
    "is a budget above the answer's own tokens for %s",
    (model) => {
      expect(thinking(model)).toEqual({ max_tokens: 1034, thinking: { type: "enabled", budget_tokens: 1024 } });
      expect(thinking(model, "high")).toMatchObject({ max_tokens: 16_394, thinking: { budget_tokens: 16_384 } });
    },
  );

  it.each([
    "claude-sonnet-4-6",
    "claude-opus-4.7",
    "claude-fable-5",
    "claude-next",
    "anthropic/claude-opus-10-20300101",
  ])("is a word for %s", (model) => {
    expect(thinking(model)).toEqual({
      max_tokens: 10,
      thinking: { type: "adaptive" },
      output_config: { effort: "low" },
    });
  });

  it("is left out while calls are answered that another model made without thinking", () => {
    const body = encoded(request({ effort: "high", messages: exchange }));

    expect(body).not.toHaveProperty("thinking");
    expect(body.max_tokens).toBe(8192);
  });
});

describe("an output schema", () => {
  const output = { type: "object", properties: { a: { type: "string" } }, additionalProperties: false };

  it("is sent to a model that holds to it, beside its effort", () => {
    const format = { type: "json_schema", schema: output };

    expect(encoded(request({ output })).output_config).toEqual({ format });
    expect(encoded(request({ output, effort: "low" }), "claude-opus-4-6").output_config).toEqual({
      effort: "low",
      format,
    });
  });

  it("is closed to further properties at every depth, which the vendor insists on", () => {
    const open = (a: JsonObject): JsonObject => ({ type: "object", properties: { a } });
    const shut = (a: JsonObject): JsonObject => ({ ...open(a), additionalProperties: false });
    const word: JsonObject = { type: "string", enum: ["object"] };
    const anyOf = [{ type: ["object", "null"], additionalProperties: true }, word];
    const given = {
      $schema: "x",
      ...open({ type: "array", items: open({ anyOf }) }),
      $defs: { d: open({ properties: {} }) },
    };

    expect(encoded(request({ output: given })).output_config).toEqual({
      format: {
        type: "json_schema",
        schema: {
          ...shut({
            type: "array",
            items: shut({ anyOf: [{ type: ["object", "null"], additionalProperties: false }, word] }),
          }),
          $defs: { d: shut({ properties: {}, additionalProperties: false }) },
        },
      },
    });
  });

  it.each(["claude-opus-4-1-20250805", "claude-3-haiku-20240307", "glm-4.7"])("is refused for %s", (model) => {
    expect(() => encoded(request({ output }), model)).toThrow(
      expect.objectContaining({ code: "config-invalid", path: ["output"] }),
    );
  });
});
