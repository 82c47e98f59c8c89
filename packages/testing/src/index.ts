export type { Answer, ScriptedCall } from "./answers.js";
export { countingIds } from "./counting-ids.js";
export type { FakeClock, FakeClockOptions } from "./fake-clock.js";
export { fakeClock } from "./fake-clock.js";
export type { FailFacts, Reply, ReplyContext, ReplyFunction } from "./replies.js";
export { call, calls, fail, hang, say, stream } from "./replies.js";
export type { Place, Script } from "./script.js";
export type { ScriptedProvider, ScriptedProviderOptions, TakenRequest } from "./scripted-provider.js";
export { scriptedProvider } from "./scripted-provider.js";
