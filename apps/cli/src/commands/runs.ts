// harness runs
import type { RunHead, Store } from "@harness/spec";
import { exitCodes } from "../exit-codes.js";
import type { Terminal } from "../process-terminal.js";
import { paintFor } from "../render/paint.js";
import { outcomeOf } from "../render/run-lines.js";
import { type RunRow, runsTable } from "../render/runs-table.js";
import { eventAfter } from "../run-log.js";
import { exists, storePlace, withStore } from "../stores.js";
import { columnsOf } from "../watch-run.js";

export interface RunsFlags {
  readonly store?: string;
  readonly json?: boolean;
  readonly limit?: number;
}

export async function runsCommand(terminal: Terminal, { store: given, json, limit = 20 }: RunsFlags): Promise<number> {
  const { path } = storePlace(terminal, given);
  const now = terminal.clock.now();
  const rows = (await exists(path)) ? await withStore(path, (store) => rowsOf(store, limit, now)) : [];
  if (json) for (const row of rows) terminal.out.write(`${JSON.stringify(row)}\n`);
  else for (const line of tableOf(terminal, rows, path)) terminal.out.write(`${line}\n`);
  return exitCodes.done;
}

function tableOf({ out, env, clock }: Terminal, rows: readonly RunRow[], path: string): readonly string[] {
  if (rows.length === 0) return [`There are no runs in ${path} yet.`];
  return runsTable(rows, clock.now(), Math.min(columnsOf(out), 200), paintFor(out, env));
}

async function rowsOf(store: Store, limit: number, now: number): Promise<readonly RunRow[]> {
  const heads = await store.runs({ limit });
  return Promise.all(heads.map((head) => rowOf(store, head, now)));
}

async function rowOf(store: Store, head: RunHead, now: number): Promise<RunRow> {
  const { id, createdAt, seq } = head;
  const [first, last] = await Promise.all([eventAfter(store, id, 0), eventAfter(store, id, Math.max(0, seq - 1))]);
  const hasStopped = last?.type === "run.finished" || last?.type === "run.paused";
  return {
    id,
    state: stateOf(head, now),
    outcome: hasStopped ? outcomeOf(last) : null,
    steps: hasStopped ? last.steps : (last?.step ?? 0),
    createdAt,
    goal: (first?.type === "run.started" ? first.content?.contract.goal : null) ?? null,
  };
}

function stateOf({ state, lease }: RunHead, now: number): RunRow["state"] {
  if (state !== "running") return state;
  const isDriven = lease !== null && lease.isAlive !== false && lease.expiresAt > now;
  return isDriven ? "running" : "interrupted";
}
