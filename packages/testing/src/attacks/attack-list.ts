// All attacks, in the order in which they are tried and shown: places, secrets and processes, the network, the kernel, what is left
// behind, and what takes much of the machine, alone and last.
import type { Attack } from "./attack.js";
import { capAttacks } from "./cap-attacks.js";
import { kernelAttacks } from "./kernel-attacks.js";
import { leftoverAttacks } from "./leftover-attacks.js";
import { networkAttacks } from "./network-attacks.js";
import { processAttacks } from "./process-attacks.js";
import { workspaceAttacks } from "./workspace-attacks.js";
import { writeAttacks } from "./write-attacks.js";

export const attacks: readonly Attack[] = [
  ...writeAttacks,
  ...workspaceAttacks,
  ...processAttacks,
  ...networkAttacks,
  ...kernelAttacks,
  ...leftoverAttacks,
  ...capAttacks,
];
