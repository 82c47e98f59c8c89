// Where this app is. In src/ and in dist/ alike, its folder is the one above.
import { fileURLToPath } from "node:url";

/** The folder of this app. */
export const appFolder = fileURLToPath(new URL("../", import.meta.url));
