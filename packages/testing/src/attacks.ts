// Attacks on a sandbox as plain data and functions: what a command may try, who must stop it, and a judge that looks at the world.
// The conformance suite runs them as tests, `harness doctor --attack` on a user's machine.
export type { Attack, AttackFacts, Attempt } from "./attacks/attack.js";
export { attackFolder } from "./attacks/attack-folder.js";
export { attacks } from "./attacks/attack-list.js";
export type { Bystander } from "./attacks/bystander.js";
export type { Claim } from "./attacks/claims.js";
export { falseDeclarations } from "./attacks/declarations.js";
export type { SceneListeners } from "./attacks/listeners.js";
export type { RunAttacksOptions } from "./attacks/run-attacks.js";
export { runAttacks } from "./attacks/run-attacks.js";
export type { Scene } from "./attacks/scene.js";
export type { AttackedSandbox, AttackResult } from "./attacks/try-attack.js";
