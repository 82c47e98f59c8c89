export { type OpenAiOptions, openai } from "./chat/openai.js";
export { type OpenAiResponsesOptions, openaiResponses } from "./responses/openai-responses.js";
