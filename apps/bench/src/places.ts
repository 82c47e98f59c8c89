// Where this app is. In src/ and in dist/ alike, its folder is the one above.
import { fileURLToPath } from "node:url";

/** The folder of this app. */
export const appFolder = fileURLToPath(new URL("../", import.meta.url));

/** What vendors have sent, as the providers' tests have it. */
export const recordedStreams = fileURLToPath(
  new URL("../../../packages/providers/src/__fixtures__/vendor-streams/", import.meta.url),
);
