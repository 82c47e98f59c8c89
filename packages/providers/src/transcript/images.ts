// Pictures are refused before anything is sent: a vendor would read megabytes of them first.
import { ConfigError, type Image, imageBytes, imageLimits, imageMediaTypes, type Message } from "@harness/spec";

const { maxBytesEach, maxBytesTogether } = imageLimits;

/** Throws `ConfigError` for a kind that vendors do not read, above 5 MiB each or 20 MiB together (decoded), or no bare base64. */
export function checkImages(messages: readonly Message[]): void {
  let total = 0;
  messages.forEach((message, index) => {
    if (message.role !== "user") return;
    message.images?.forEach((image, nth) => {
      const problem = problemOf(image);
      if (problem) throw refusal(`image ${nth} of message ${index} ${problem}`, index);
      total += imageBytes(image);
    });
  });
  if (total > maxBytesTogether) throw refusal(`the images are ${total} bytes together, above ${maxBytesTogether}`);
}

function problemOf(image: Image): string | undefined {
  if (!imageMediaTypes.includes(image.mediaType)) {
    return `is ${JSON.stringify(image.mediaType)}; convert it to one of ${imageMediaTypes.join(", ")}`;
  }
  if (image.base64 === "" || image.base64.startsWith("data:") || /\s/.test(image.base64)) {
    return "is not plain base64; leave out prefix, spaces and line breaks";
  }
  const bytes = imageBytes(image);
  return bytes > maxBytesEach ? `has ${bytes} bytes, above ${maxBytesEach}; scale it down` : undefined;
}

function refusal(problem: string, index?: number): ConfigError {
  return new ConfigError(`Could not ask for a completion: ${problem}. Nothing was sent.`, {
    path: index === undefined ? ["messages"] : ["messages", index],
  });
}
