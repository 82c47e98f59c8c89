export { type RecordOptions, record } from "./recording/record.js";
