// One line changed in the middle of a 5 MB text, by a whole call of each tool that writes, against what a program would do
// that trusts everybody: read the file, write another one and sync it. A call also says beforehand what it would do, looks
// twice whether the file is still what it was, tells what changed line by line, and makes the new name durable.
import { open, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Tool } from "io-harness";
import { callTool, toolNamed } from "../call-tool.js";
import { interleave, timeMs } from "../interleave.js";
import type { Measure, Plan } from "../measure.js";
import { type Row, ratioAtMost } from "../row.js";
import { inScratch } from "../scratch.js";

const usualRounds = 31;
const megabyte = 1_000_000;
const bytes = 5 * megabyte;

export const writeLargeFile: Measure = {
  name: "write",
  run: (plan) => inScratch((folder) => rowsOf(folder, plan)),
};

async function rowsOf(folder: string, plan: Plan): Promise<readonly Row[]> {
  const texts = [textWith("one"), textWith("two")] as const;
  for (const path of ["plain", "written", "edited"]) await writeFile(join(folder, path), texts[0].whole);
  const [write, edit] = [toolNamed("write_file"), toolNamed("edit_file")];
  const written = turns(texts, (_, next) => ({ path: "written", content: next.whole }));
  const edited = turns(texts, (now, next) => ({ path: "edited", search: now.line, replace: next.line }));
  const medians = await interleave(
    {
      plain: () => byHand(join(folder, "plain"), join(folder, "temporary")),
      written: () => timeMs(() => change(write, written(), folder)),
      edited: () => timeMs(() => change(edit, edited(), folder)),
    },
    plan.rounds(usualRounds),
  );
  const baseline = { name: "read + write + fsync", value: medians.plain };
  const row = (name: string, ours: number): Row => ({ name, unit: "ms", ours, baseline, target: ratioAtMost(3) });
  return [row("write_file, 5 MB", medians.written), row("edit_file, 5 MB", medians.edited)];
}

interface Text {
  readonly whole: string;
  /** The line in its middle, which is there once. */
  readonly line: string;
}

/** With a character beyond Latin-1 here and there, as most texts of that size have: it makes their strings wider and dearer. */
function textWith(word: string): Text {
  const line = `export const middle = "${word}";\n`;
  const lines: string[] = [];
  for (let size = 0; size < bytes; size += Buffer.byteLength(lines.at(-1) ?? "")) lines.push(otherLine(lines.length));
  lines[Math.floor(lines.length / 2)] = line;
  return { whole: lines.join(""), line };
}

function otherLine(index: number): string {
  const dash = index % 50 === 0 ? "–" : "-";
  return `export const name${index} = "some words ${dash} as sources have them ${dash} and ${index}";\n`;
}

/** The arguments of one call after the other, to and fro between two texts. */
function turns<Input>([a, b]: readonly [Text, Text], argumentsOf: (now: Text, next: Text) => Input): () => Input {
  let [now, next] = [a, b];
  return () => {
    const input = argumentsOf(now, next);
    [now, next] = [next, now];
    return input;
  };
}

async function byHand(path: string, temporary: string): Promise<number> {
  const ms = await timeMs(async () => {
    const content = await readFile(path);
    const handle = await open(temporary, "wx");
    await handle.writeFile(content);
    await handle.sync();
    await handle.close();
  });
  await rm(temporary);
  return ms;
}

async function change(tool: Tool, input: unknown, workspace: string): Promise<void> {
  const { changes } = await callTool(tool, input, { workspace, visible: () => true });
  if (changes?.length !== 1) throw new Error(`${tool.name} changed nothing.`);
}
