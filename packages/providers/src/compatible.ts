export type { Quirks } from "./chat/quirks.js";
export { type CompatibleOptions, compatible } from "./compatible/compatible.js";
export { type Auth, isPresetName, type Preset, type PresetName, presets } from "./compatible/presets.js";
