export type { CommandEnvironmentOptions } from "./command-environment.js";
export { commandEnvironment } from "./command-environment.js";
export type { FloorOptions } from "./floor.js";
export { floor } from "./floor.js";
export type { WrappedArgv, WrapRequest } from "./launch.js";
