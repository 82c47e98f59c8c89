import { library } from "../../scripts/tsup.mjs";

export default library([
  "src/index.ts",
  "src/parked-process.ts",
  "src/appending-process.ts",
  "src/reading-process.ts",
  "src/stream-server-process.ts",
]);
