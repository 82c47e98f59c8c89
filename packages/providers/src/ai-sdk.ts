export { type AiSdkOptions, aiSdk } from "./ai-sdk/ai-sdk.js";
export type { AiSdkModel } from "./ai-sdk/model.js";
