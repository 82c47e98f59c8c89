// What SQLite itself finds: pages that cannot be right, rows that break the rules of their table, indexes that do not match. It
// is one question that takes as long as the file is large, so about a large one it is asked in a thread of its own.
import { nameOf } from "../connection.js";
import { askInThread } from "../sql-thread.js";
import { type Fault, wordsOf } from "./fault.js";
import type { Inspection, Look } from "./inspection.js";

const mostLines = 20;
/** What SQLite looks over in some tens of ms, which is less than a thread takes to start. */
const mostBytesAtOnce = 8 * 2 ** 20;
/** One more than are told, to know whether there are more. */
const question = `pragma integrity_check(${mostLines + 1})`;
const selectBytes = "select page_count * page_size as bytes from pragma_page_count, pragma_page_size";

export const engineLook: Look = {
  at: "The file",
  async *faults(inspection) {
    const lines = (await ask(inspection)).flatMap((text) => text.split("\n")).filter(isFinding);
    const told = lines.slice(0, mostLines);
    if (lines.length > 0 && lines.every(isAboutIndex)) yield indexFault(told);
    else yield* told.map((line) => ({ what: `SQLite finds damage: ${line}` }));
    if (lines.length > told.length) yield { what: "SQLite stopped looking there, so there may be more of it" };
  },
};

function isFinding(line: string): boolean {
  return line !== "" && line !== "ok" && !line.startsWith("***");
}

/** An index says nothing that its table does not, so it can be made from it again. */
function isAboutIndex(line: string): boolean {
  return /^(row \d+ missing from|wrong # of entries in|non-unique entry in) index /.test(line);
}

function indexFault(lines: readonly string[]): Fault {
  return {
    what: `SQLite finds that indexes do not match their tables (${lines.join(", ")})`,
    remedy: { done: "all were made again", work: ({ statement }) => void statement("reindex").run() },
  };
}

async function ask({ source, busyTimeoutMs, look }: Inspection): Promise<readonly string[]> {
  const size = await look("check the size", ({ statement }) => statement(selectBytes).get());
  const { bytes } = size as { readonly bytes: number };
  if ("database" in source || bytes <= mostBytesAtOnce) {
    return look("check the file", ({ statement }) => textsOf(statement(question).iterate()));
  }
  return askInThread({
    path: nameOf(source),
    busyTimeoutMs,
    attempt: "check",
    statements: [question],
    readonly: true,
  });
}

/** What was found before a failure counts. */
function textsOf(rows: Iterable<unknown>): readonly string[] {
  const texts: string[] = [];
  try {
    for (const row of rows) texts.push(String(Object.values(row as Record<string, unknown>)[0]));
  } catch (error) {
    if (texts.length === 0) throw error;
    texts.push(wordsOf(error));
  }
  return texts;
}
