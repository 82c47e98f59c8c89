import { library } from "../../scripts/tsup.mjs";

export default library(["src/index.ts", "src/store.ts", "src/sandbox.ts", "src/attacks.ts", "src/provider.ts"]);
