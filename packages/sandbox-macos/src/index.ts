export type { MacosReport, MacosSandboxOptions } from "./macos-sandbox.js";
export { macosReport, macosSandbox } from "./macos-sandbox.js";
export type { MacosRequirements } from "./requirements.js";
