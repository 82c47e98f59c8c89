export type { AnswersFrom } from "./answers-from.js";
export type { CommandPlace } from "./command-line.js";
export { commandOf, commandPlace } from "./command-line.js";
export { exitCodeOf } from "./exit-codes.js";
export type { Input, Output, Terminal } from "./process-terminal.js";
export { leave, processTerminal, tolerateClosedPipes } from "./process-terminal.js";
export { reportFailure } from "./report-failure.js";
export type { RunOrder } from "./run-contract.js";
export { runContract } from "./run-contract.js";
