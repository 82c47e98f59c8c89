// The pictures of a contract, checked where they enter: what a vendor would refuse, after it was sent 20 MiB, is refused here by
// the place it stands at. The type is read off the bytes, because what a file is called is only a claim.
import { type Image, imageBytes, imageLimits, imageMediaTypes } from "@harness/spec";
import { z } from "zod";

const { maxBytesEach, maxBytesTogether } = imageLimits;

const base64 = z
  .string()
  .refine(isBase64, "must be base64 without prefix or line breaks")
  .refine((text) => imageBytes({ base64: text }) <= maxBytesEach, `must be at most ${maxBytesEach} bytes (5 MiB)`);

const image = z
  .strictObject({ mediaType: z.enum(imageMediaTypes), base64 })
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
    (list) => list.reduce((sum, image) => sum + imageBytes(image), 0) <= maxBytesTogether,
    `must be at most ${maxBytesTogether} bytes (20 MiB) together`,
  ) satisfies z.ZodType<readonly Image[]>;

function isBase64(text: string): boolean {
  // One class and no repetition: a picture has millions of characters.
  return text !== "" && text.length % 4 === 0 && !/[^A-Za-z0-9+/]/.test(text.replace(/={1,2}$/, ""));
}

function typeOf(text: string): Image["mediaType"] | undefined {
  const head = atob(text.slice(0, 24));
  if (head.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (head.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (head.startsWith("GIF87a") || head.startsWith("GIF89a")) return "image/gif";
  return head.startsWith("RIFF") && head.slice(8, 12) === "WEBP" ? "image/webp" : undefined;
}
