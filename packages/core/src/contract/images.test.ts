import { describe, expect, it } from "vitest";
import { parseContract } from "./contract-input.js";

const heads = {
  "image/jpeg": [0xff, 0xd8, 0xff, 0xe0],
  "image/png": [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
  "image/gif": [..."GIF89a"].map((letter) => letter.charCodeAt(0)),
  "image/webp": [..."RIFF....WEBP"].map((letter) => letter.charCodeAt(0)),
} as const;
type MediaType = keyof typeof heads;
const types = Object.keys(heads) as readonly MediaType[];
const mebi = 1024 ** 2;

function picture(mediaType: MediaType, bytes = 64) {
  const data = new Uint8Array(bytes);
  data.set(heads[mediaType]);
  return { mediaType, base64: Buffer.from(data).toString("base64") };
}

const parse = (...images: readonly unknown[]) =>
  parseContract({ goal: "Build what it shows.", workspace: "/repo", images: images as never });

describe("the images of a contract", () => {
  it("are taken as they are, of every type that vendors read", () => {
    const images = types.map((type) => picture(type));

    expect(parse(...images).images).toEqual(images);
  });

  it("may be as large as 5 MiB each and 20 MiB together, as bytes", () => {
    expect(parse(...Array(4).fill(picture("image/png", 5 * mebi))).images).toHaveLength(4);
  });

  it.each<[what: string, images: readonly unknown[], told: string]>([
    ["one larger than 5 MiB", [picture("image/png", 5 * mebi + 1)], "images.0.base64"],
    ["more than 20 MiB together", [...Array(4).fill(picture("image/gif", 5 * mebi)), picture("image/gif")], "20 MiB"],
    ["a type that vendors do not read", [{ ...picture("image/png"), mediaType: "image/bmp" }], "images.0.mediaType"],
    ["bytes of another type", [{ ...picture("image/png"), mediaType: "image/gif" }], "the bytes are image/png"],
    ["bytes of no picture", [{ mediaType: "image/png", base64: "aGVsbG8gd29ybGQh" }], "none of these"],
    [
      "a data URL",
      [{ mediaType: "image/png", base64: `data:image/png;base64,${picture("image/png").base64}` }],
      "prefix",
    ],
    ["line breaks", [{ mediaType: "image/png", base64: `${picture("image/png").base64}\n\n\n\n` }], "line breaks"],
    ["nothing", [{ mediaType: "image/png", base64: "" }], "base64"],
    ["a misspelt key", [{ ...picture("image/png"), alt: "a plan" }], "images.0"],
  ])("are refused with their place when there is %s", (_what, images, told) => {
    expect(() => parse(...images)).toThrowError(told);
    expect(() => parse(...images)).toThrowError(expect.objectContaining({ code: "config-invalid" }));
  });
});
