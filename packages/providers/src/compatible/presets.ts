// Endpoints that speak the Chat API, as rows of data. A base is the whole prefix that the vendor documents. The variables are
// what people call them; they are read only when a caller asks for it, so that no key goes where nobody sent it.
import type { Quirks } from "../chat/quirks.js";

/** How a key travels. `none`: no credential header at all, because an empty one breaks some local servers. */
export type Auth = "bearer" | "api-key" | "none";

export interface Preset {
  /** The whole prefix in front of `/chat/completions`. */
  readonly baseUrl: string;
  readonly auth: Auth;
  /** The environment variable that holds the key by convention; absent where there is no key. */
  readonly keyVariable?: string;
  readonly quirks: Quirks;
}

/** Servers on one's own machine hand the conversation to a template of the model, and many of those insist on alternation. */
const local = { mergeUsers: true } as const satisfies Quirks;

/**
 * vLLM, SGLang and llama.cpp make no calls at all unless the server was started with a tool parser (or `--jinja`), and nothing
 * fails. Ollama cuts a prompt that is longer than its window without a word: set `num_ctx` there.
 */
export const presets = {
  cerebras: {
    baseUrl: "https://api.cerebras.ai/v1",
    auth: "bearer",
    keyVariable: "CEREBRAS_API_KEY",
    quirks: { maxTokensField: "max_completion_tokens", outputSchema: "strict", images: false },
  },
  deepseek: {
    baseUrl: "https://api.deepseek.com/v1",
    auth: "bearer",
    keyVariable: "DEEPSEEK_API_KEY",
    quirks: { reasoningReplay: "tool-turns", effort: "none", outputSchema: "none", images: false },
  },
  fireworks: {
    baseUrl: "https://api.fireworks.ai/inference/v1",
    auth: "bearer",
    keyVariable: "FIREWORKS_API_KEY",
    quirks: { streamUsage: false },
  },
  gemini: {
    baseUrl: "https://generativelanguage.googleapis.com/v1beta/openai",
    auth: "bearer",
    keyVariable: "GEMINI_API_KEY",
    quirks: {},
  },
  groq: {
    baseUrl: "https://api.groq.com/openai/v1",
    auth: "bearer",
    keyVariable: "GROQ_API_KEY",
    quirks: { maxTokensField: "max_completion_tokens" },
  },
  minimax: {
    baseUrl: "https://api.minimax.io/v1",
    auth: "bearer",
    keyVariable: "MINIMAX_API_KEY",
    quirks: { effort: "none", outputSchema: "none" },
  },
  mistral: {
    baseUrl: "https://api.mistral.ai/v1",
    auth: "bearer",
    keyVariable: "MISTRAL_API_KEY",
    quirks: { streamUsage: false, callIds: "minted9", nullContent: "", assistantAfterTool: true, effort: "none" },
  },
  moonshot: {
    baseUrl: "https://api.moonshot.ai/v1",
    auth: "bearer",
    keyVariable: "MOONSHOT_API_KEY",
    quirks: { reasoningReplay: "tool-turns", effort: "none", outputSchema: "none" },
  },
  perplexity: {
    baseUrl: "https://api.perplexity.ai",
    auth: "bearer",
    keyVariable: "PERPLEXITY_API_KEY",
    quirks: { streamUsage: false, mergeUsers: true, modelsEndpoint: false, tools: false },
  },
  qwen: {
    baseUrl: "https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
    auth: "bearer",
    keyVariable: "DASHSCOPE_API_KEY",
    quirks: { effort: "enable_thinking", outputSchema: "none" },
  },
  together: {
    baseUrl: "https://api.together.xyz/v1",
    auth: "bearer",
    keyVariable: "TOGETHER_API_KEY",
    quirks: {},
  },
  xai: {
    baseUrl: "https://api.x.ai/v1",
    auth: "bearer",
    keyVariable: "XAI_API_KEY",
    quirks: { maxTokensField: "max_completion_tokens" },
  },
  zhipu: {
    baseUrl: "https://open.bigmodel.cn/api/paas/v4",
    auth: "bearer",
    keyVariable: "ZHIPU_API_KEY",
    quirks: { effort: "none", outputSchema: "none" },
  },
  jan: { baseUrl: "http://localhost:1337/v1", auth: "none", quirks: local },
  koboldcpp: { baseUrl: "http://localhost:5001/v1", auth: "none", quirks: { ...local, outputSchema: "none" } },
  llamacpp: { baseUrl: "http://localhost:8080/v1", auth: "none", quirks: local },
  lmstudio: { baseUrl: "http://localhost:1234/v1", auth: "none", quirks: local },
  localai: { baseUrl: "http://localhost:8080/v1", auth: "none", quirks: local },
  ollama: { baseUrl: "http://localhost:11434/v1", auth: "none", quirks: local },
  sglang: { baseUrl: "http://localhost:30000/v1", auth: "none", quirks: local },
  vllm: { baseUrl: "http://localhost:8000/v1", auth: "none", quirks: local },
} as const satisfies Record<string, Preset>;

export type PresetName = keyof typeof presets;

/** Whether there is a preset of that name. */
export function isPresetName(name: string): name is PresetName {
  return Object.hasOwn(presets, name);
}
