// The inbox of a run. That the first answer wins is the table's key, so it holds between processes.
import { type Answer, type RunId, StoreError } from "@harness/spec";
import type { Connection } from "./connection.js";
import type { Transaction } from "./transaction.js";

const insert = "insert into answers (run, request, answer) values (?, ?, ?) on conflict (run, request) do nothing";
const select =
  "select position, answer from answers where run = (select key from streams where id = ?) and position > ? order by position";

/** True for the first answer to a request. Throws `StoreError` for a run that is not there. */
export function giveAnswer(tx: Transaction, run: RunId, answer: Answer): boolean {
  const stream = tx.stream(run);
  if (!stream) {
    throw new StoreError("missing", `Could not answer ${answer.request}: there is no run ${run}. Check its id.`, {
      runId: run,
    });
  }
  return Number(tx.statement(insert).run(stream.key, answer.request, JSON.stringify(answer)).changes) === 1;
}

export interface Given {
  readonly position: number;
  readonly answer: Answer;
}

export function answersAfter({ statement }: Connection, run: RunId, position: number): Given[] {
  const rows = statement(select).all(run, position) as { readonly position: number; readonly answer: string }[];
  return rows.map((row) => ({ position: row.position, answer: parse(row.answer, run) }));
}

function parse(text: string, run: RunId): Answer {
  try {
    return JSON.parse(text) as Answer;
  } catch (cause) {
    throw new StoreError(
      "corrupt",
      `Could not read an answer to run ${run}: it is not JSON. Restore a copy of the store.`,
      {
        cause,
        runId: run,
      },
    );
  }
}
