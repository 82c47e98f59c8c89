// The pictures of a contract, checked where they enter: what a vendor would refuse, after it was sent 20 MiB, is refused here by
// the place it stands at. The type is read off the bytes, because what a file is called is only a claim.
import type { Image } from "@harness/spec";
import { z } from "zod";

/** Of the bytes, not of their base64. */
const mostBytesEach = 5 * 1024 ** 2;
const mostBytesTogether = 20 * 1024 ** 2;

const mediaTypes = ["image/jpeg", "image/png", "image/gif", "image/webp"] as const;

const base64 = z
  .string()
  .refine(isBase64, "must be base64 without prefix or line breaks")
  .refine((text) => byteLength(text) <= mostBytesEach, `must be at most ${mostBytesEach} bytes (5 MiB)`);

const image = z
  .strictObject({ mediaType: z.enum(mediaTypes), base64 })
  .superRefine(({ mediaType, base64: text }, context) => {
    const found = isBase64(text) ? typeOf(text) : mediaType;
    if (found === mediaType) return;
    const what = found === undefined ? "are none of these pictures" : `are ${found}`;
    context.addIssue({ code: "custom", path: ["mediaType"], message: `is ${mediaType}, and the bytes ${what}` });
  });

export const images = z
  .array(image)
  .readonly()
  .refine(
    (list) => list.reduce((sum, { base64: text }) => sum + byteLength(text), 0) <= mostBytesTogether,
    `must be at most ${mostBytesTogether} bytes (20 MiB) together`,
  ) satisfies z.ZodType<readonly Image[]>;

function isBase64(text: string): boolean {
  // One class and no repetition: a picture has millions of characters.
  return text !== "" && text.length % 4 === 0 && !/[^A-Za-z0-9+/]/.test(text.replace(/={1,2}$/, ""));
}

/** Without decoding: three bytes to four characters. */
function byteLength(text: string): number {
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  return (text.length / 4) * 3 - padding;
}

function typeOf(text: string): Image["mediaType"] | undefined {
  const head = atob(text.slice(0, 24));
  if (head.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (head.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (head.startsWith("GIF87a") || head.startsWith("GIF89a")) return "image/gif";
  return head.startsWith("RIFF") && head.slice(8, 12) === "WEBP" ? "image/webp" : undefined;
}
