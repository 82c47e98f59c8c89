// Pictures are refused before anything is sent: a vendor would read megabytes of them first.
import { ConfigError, type Image, type Message } from "@harness/spec";

const accepted: readonly string[] = ["image/jpeg", "image/png", "image/gif", "image/webp"];
const maxImageBytes = 5 * 1024 * 1024;
const maxRequestBytes = 20 * 1024 * 1024;

/** Throws `ConfigError` for a kind that vendors do not read, above 5 MiB each or 20 MiB together (decoded), or no bare base64. */
export function checkImages(messages: readonly Message[]): void {
  let total = 0;
  messages.forEach((message, index) => {
    if (message.role !== "user") return;
    message.images?.forEach((image, nth) => {
      const problem = problemOf(image);
      if (problem) throw refusal(`image ${nth} of message ${index} ${problem}`, index);
      total += decodedBytes(image);
    });
  });
  if (total > maxRequestBytes) throw refusal(`the images are ${total} bytes together, above ${maxRequestBytes}`);
}

function problemOf(image: Image): string | undefined {
  if (!accepted.includes(image.mediaType)) {
    return `is ${JSON.stringify(image.mediaType)}; convert it to one of ${accepted.join(", ")}`;
  }
  if (image.base64 === "" || image.base64.startsWith("data:") || /\s/.test(image.base64)) {
    return "is not plain base64; leave out prefix, spaces and line breaks";
  }
  const bytes = decodedBytes(image);
  return bytes > maxImageBytes ? `has ${bytes} bytes, above ${maxImageBytes}; scale it down` : undefined;
}

function decodedBytes({ base64 }: Image): number {
  const padding = base64.endsWith("==") ? 2 : base64.endsWith("=") ? 1 : 0;
  return Math.floor((base64.length * 3) / 4) - padding;
}

function refusal(problem: string, index?: number): ConfigError {
  return new ConfigError(`Could not ask for a completion: ${problem}. Nothing was sent.`, {
    path: index === undefined ? ["messages"] : ["messages", index],
  });
}
