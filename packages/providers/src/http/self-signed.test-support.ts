// A certificate that nobody trusts, made on the spot, because a private key has no place in a repository.
import { generateKeyPairSync, sign } from "node:crypto";

/** A key and a certificate for `localhost` that it has signed itself, as PEM. Valid from 2020 to 2049. */
export function selfSigned(): { readonly key: string; readonly cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const ecdsaWithSha256 = sequence(der(0x06, Buffer.from("2a8648ce3d040302", "hex")));
  const name = sequence(
    der(0x31, sequence(der(0x06, Buffer.from("550403", "hex")), der(0x0c, Buffer.from("localhost")))),
  );
  const validity = sequence(der(0x17, Buffer.from("200101000000Z")), der(0x17, Buffer.from("490101000000Z")));
  const spki = publicKey.export({ type: "spki", format: "der" });
  const body = sequence(der(0x02, Buffer.from([1])), ecdsaWithSha256, name, validity, name, spki);
  const signature = sign("sha256", body, privateKey);
  const cert = sequence(body, ecdsaWithSha256, der(0x03, Buffer.from([0]), signature));
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${cert.toString("base64")}\n-----END CERTIFICATE-----\n`,
  };
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, ...parts);
}

/** One value of ASN.1: its tag, its length, its content. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
