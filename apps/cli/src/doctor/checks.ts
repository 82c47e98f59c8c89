// The checks of `harness doctor`, in the order in which a person reads them.
import type { Check } from "./check.js";
import { environmentCheck } from "./check-environment.js";
import { modelsCheck } from "./check-models.js";
import { nodeCheck } from "./check-node.js";
import { sandboxCheck } from "./check-sandbox.js";
import { storeCheck } from "./check-store.js";
import { terminalCheck } from "./check-terminal.js";
import { toolsCheck } from "./check-tools.js";

export const checks: readonly Check[] = [
  nodeCheck,
  storeCheck,
  sandboxCheck,
  modelsCheck,
  toolsCheck,
  terminalCheck,
  environmentCheck,
];
