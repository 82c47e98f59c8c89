export { type AnthropicOptions, anthropic } from "./messages/anthropic.js";
