export { type OpenRouterOptions, openRouter } from "./chat/openrouter.js";
