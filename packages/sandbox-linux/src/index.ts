export type { Requirements } from "./chain/choose-rung.js";
export { linuxRungs } from "./chain/linux-rungs.js";
export type { LinuxSandboxOptions } from "./chain/linux-sandbox.js";
export { linuxSandbox } from "./chain/linux-sandbox.js";
export type { Rung, RungReport, RungRequest } from "./rung.js";
export type { RunAs } from "./user/run-as.js";
