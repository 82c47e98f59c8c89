import { library } from "../../scripts/tsup.mjs";

export default library([
  "src/anthropic.ts",
  "src/openai.ts",
  "src/openrouter.ts",
  "src/compatible.ts",
  "src/fallback.ts",
  "src/record.ts",
  "src/replay.ts",
  "src/ai-sdk.ts",
]);
