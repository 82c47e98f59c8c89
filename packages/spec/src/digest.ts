// The one hash of the project. Text is hashed as its UTF-8 bytes.
import { hash } from "node:crypto";
import type { Digest } from "./ids.js";

/** SHA-256 (FIPS 180-4) of `data`, in lower-case hex. */
export function sha256(data: string | Uint8Array): Digest {
  return hash("sha256", data, "hex") as Digest;
}
