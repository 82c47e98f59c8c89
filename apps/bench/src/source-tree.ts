// A tree of generated sources for searches, the same every time: a thousand folders of fifty files, most of them between a half
// and eight KiB, with what makes searching harder than reading: binaries, CRLF, other scripts, very long lines, and files of
// ignore rules at two levels, which leave out about one file in nine.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const filesPerFolder = 50;
/** Files share so many contents: to make each anew would take longer than to search them. */
const contents = 3_000;
const binaryHead = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00]);

const rootRules = "node_modules/\ndist/\n*.log\n/coverage\n!keep.log\n";
const moduleRules = "*.gen.ts\n!wanted.gen.ts\n/part-1/skip-*\n";

/** Files of a tree, made below `root`. `needle` stands in a line of its own in eight of them, all of which a search finds. */
export function writeSourceTree(root: string, needle: string): void {
  const random = randomNumbers(2_026);
  const write = sourceWriter(random);
  const texts = Array.from({ length: contents }, () => write(500 + Math.floor(random() * random() * 7_500)));
  // Without it, ignore rules are none of ripgrep's business.
  mkdirSync(join(root, ".git"), { recursive: true });
  writeFileSync(join(root, ".gitignore"), rootRules);
  for (let folder = 0; folder < 1_000; folder += 1) {
    const [a, b, c] = [Math.floor(folder / 100), Math.floor(folder / 10) % 10, folder % 10];
    const module = join(root, `package-${a}`, `module-${b}`);
    const path = join(module, c === 9 ? "dist" : `part-${c}`);
    mkdirSync(path, { recursive: true });
    if (c === 0) writeFileSync(join(module, ".gitignore"), moduleRules);
    for (let number = 0; number < filesPerFolder; number += 1) {
      const text = texts[Math.floor(random() * contents)] ?? "";
      const hasNeedle = folder % 125 === 3 && number === 7;
      const { name, bytes } = fileOf(hasNeedle ? `${text}${needle}\n` : text, hasNeedle ? 1 : random(), number);
      writeFileSync(join(path, name), bytes);
    }
  }
}

/** What becomes of a text, by a number from 0 to 1. */
function fileOf(
  text: string,
  kind: number,
  number: number,
): { readonly name: string; readonly bytes: string | Buffer } {
  if (kind < 0.02) return { name: `image-${number}.png`, bytes: Buffer.concat([binaryHead, Buffer.from(text)]) };
  if (kind < 0.03) return { name: `run-${number}.log`, bytes: text };
  if (kind < 0.04) return { name: `schema-${number}.gen.ts`, bytes: text };
  if (kind < 0.09) return { name: `file-${number}.ts`, bytes: text.replaceAll("\n", "\r\n") };
  if (kind < 0.12) return { name: `file-${number}.ts`, bytes: `// Größe – 大きさ – 📏\n${text}` };
  if (kind < 0.13) return { name: `bundle-${number}.js`, bytes: text.replaceAll("\n", " ").repeat(10) };
  return { name: `file-${number}.${kind < 0.16 ? "md" : "ts"}`, bytes: text };
}

const syllables = "ba con de fi gra hol in jo ker lu mon ne or pre qua ri sto ter un ver wa xi yel zo".split(" ");

/** Writes text that looks like code, of about so many characters. */
function sourceWriter(random: () => number): (length: number) => string {
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
  const words = Array.from({ length: 800 }, () =>
    Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(syllables)).join(""),
  );
  const capital = (word: string) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
  const word = () => pick(words);
  const names = [word, () => word() + capital(word()), () => `${word()}_${word()}`, () => capital(word())] as const;
  const name = () => pick(names)();
  const lines = [
    () => "",
    () => `  const ${name()} = ${name()}(${name()}, ${Math.floor(random() * 10_000)});`,
    () => `  if (${name()} !== ${name()}) return ${name()};`,
    () => `// ${Array.from({ length: 4 + Math.floor(random() * 10) }, word).join(" ")}.`,
  ] as const;
  return (length) => {
    let text = "";
    while (text.length < length) text += `${pick(lines)()}\n`;
    return text;
  };
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
