// The suite as data, in the order in which a new backend is best made to pass it.
import { capCases } from "./cap-cases.js";
import { cpuCapCases } from "./cap-cpu-cases.js";
import { fileCapCases } from "./cap-file-cases.js";
import { memoryCapCases } from "./cap-memory-cases.js";
import { processCapCases } from "./cap-process-cases.js";
import { tempCapCases } from "./cap-temp-cases.js";
import { confinementCases } from "./confinement-cases.js";
import { deadlineCases } from "./deadline-cases.js";
import { environmentCases } from "./environment-cases.js";
import { failureCases } from "./failure-cases.js";
import { outputCases } from "./output-cases.js";
import { processCases } from "./process-cases.js";
import { protectionCases } from "./protection-cases.js";
import { runCases } from "./run-cases.js";
import type { Cases } from "./subject.js";
import { treeCases } from "./tree-cases.js";

export const groups: readonly { readonly title: string; readonly cases: Cases }[] = [
  { title: "run", cases: runCases },
  { title: "what never ran", cases: failureCases },
  { title: "output", cases: outputCases },
  { title: "environment", cases: environmentCases },
  { title: "deadlines and cancelling", cases: deadlineCases },
  { title: "the tree", cases: treeCases },
  { title: "spawn", cases: processCases },
  { title: "caps", cases: capCases },
  { title: "the cap on CPU time", cases: cpuCapCases },
  { title: "the cap on memory", cases: memoryCapCases },
  { title: "the cap on processes", cases: processCapCases },
  { title: "the caps on files", cases: fileCapCases },
  { title: "the cap on temporary files", cases: tempCapCases },
  { title: "confinement", cases: confinementCases },
  { title: "what is protected in the workspace", cases: protectionCases },
];
