import { library } from "../../scripts/tsup.mjs";

export default library(["src/index.ts"]);
