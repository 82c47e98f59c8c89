export { type ReplayOptions, replay } from "./recording/replay.js";
