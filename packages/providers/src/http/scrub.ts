// What no message may show: the credentials of this provider, and whatever looks like one, because vendors echo keys in their
// error texts. Everything a vendor or a socket said goes through here before it becomes part of an error.

/** Longest part of a vendor's text in a message, in characters. */
const excerptLength = 2_000;

/** Shorter values are left alone: no key is that short, and ordinary words would vanish from messages. */
const shortestSecret = 8;

const shapes = /\bBearer\s+[\w.~+/=-]+|\b(?:sk|gsk|xai)-[\w-]{8,}|\bgsk_[\w-]{8,}|\bAIza[\w-]{8,}/gi;

const redacted = "[redacted]";

/** Where an excerpt ends early. */
const cut = "…";

/** `text` without any of `secrets`, and without anything shaped like a vendor's key. */
export function scrub(text: string, secrets: readonly string[]): string {
  let clean = text;
  for (const secret of secrets) {
    if (secret.length >= shortestSecret) clean = withoutBeginning(clean.replaceAll(secret, redacted), secret);
  }
  return clean.replace(shapes, redacted);
}

/** An excerpt may have been cut in the middle of a secret. */
function withoutBeginning(text: string, secret: string): string {
  if (!text.includes(cut)) return text;
  let clean = text;
  for (let length = secret.length - 1; length >= shortestSecret; length--) {
    clean = clean.replaceAll(`${secret.slice(0, length)}${cut}`, `${redacted}${cut}`);
  }
  return clean;
}

/** The beginning of `text`, on one line. */
export function excerpt(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > excerptLength ? `${line.slice(0, excerptLength)}${cut}` : line;
}
