// Pictures for a model, and how large they may be. Checked where a contract enters and again before a request is sent, since a
// provider may be asked by anybody.

/** The kinds that every vendor with eyes reads. */
export const imageMediaTypes = ["image/jpeg", "image/png", "image/gif", "image/webp"] as const;

/** A picture for a model. */
export interface Image {
  readonly mediaType: (typeof imageMediaTypes)[number];
  /** The bytes, without prefix or line breaks. */
  readonly base64: string;
}

/** In bytes, not characters of base64. */
export const imageLimits = { maxBytesEach: 5 * 1024 ** 2, maxBytesTogether: 20 * 1024 ** 2 } as const;

/** How many bytes `base64` stands for, without decoding it: three for four characters. */
export function imageBytes({ base64 }: Pick<Image, "base64">): number {
  const padding = base64.endsWith("==") ? 2 : base64.endsWith("=") ? 1 : 0;
  return Math.floor((base64.length * 3) / 4) - padding;
}
