// Rows that belong to nothing, and rows that cannot be read. Every question is answered from the small tables and from indexes.
// A lease that has lapsed or was given back is none of these, as long as there is a run under its name.
import type { Connection } from "../connection.js";
import type { Fault, Remedy } from "./fault.js";
import type { Look } from "./inspection.js";

type Question = (statement: Connection["statement"]) => Fault[];

/** Of one kind; a file with more has one cause for them all. */
const most = 50;

export const rowLook: Look = {
  at: "A table",
  async *faults({ look, rest }) {
    for (const question of [strayEvents, lostRelatives, strayAnswers, brokenAnswers, strayLeases, futureLeases]) {
      yield* await look("check the rows", ({ statement }) => question(statement));
      await rest();
    }
  },
};

// Goes from run to run along the index, however many events lie between.
const selectStrayEvents = `
  with recursive runs (key) as (
    select min(run) from events
    union all
    select (select min(run) from events where run > key) from runs where key is not null
  )
  select key, (select count(*) from events where run = key) as count from runs
  where key is not null and not exists (select 1 from streams where streams.key = runs.key)
  limit ${most}`;

const strayEvents: Question = (statement) =>
  rowsOf<{ key: number; count: number }>(statement, selectStrayEvents).map(({ key, count }) => ({
    what: `There ${count === 1 ? "is an event" : `are ${count} events`} under key ${key}, and no run has that key`,
  }));

const without = (kin: "root" | "parent") =>
  `select id, '${kin}' as kin, ${kin} as name from streams where ${kin} not in (select id from streams)`;
const selectLostRelatives = `${without("root")} union all ${without("parent")} limit ${most}`;

const lostRelatives: Question = (statement) =>
  rowsOf<{ id: string; kin: string; name: string }>(statement, selectLostRelatives).map(({ id, kin, name }) => ({
    what: `Run ${id} has ${name} as its ${kin}, and there is no run ${name}`,
  }));

const isStrayAnswer = "run not in (select key from streams)";

const strayAnswers: Question = (statement) => {
  const [{ count } = { count: 0 }] = rowsOf<{ count: number }>(
    statement,
    `select count(*) as count from answers where ${isStrayAnswer}`,
  );
  return some(count, "answer", "belong", "to no run", removal(`delete from answers where ${isStrayAnswer}`));
};

const selectBrokenAnswers = `
  select request, id from answers join streams on key = run where not json_valid(answer) limit ${most}`;

const brokenAnswers: Question = (statement) =>
  rowsOf<{ request: string; id: string }>(statement, selectBrokenAnswers).map(({ request, id }) => ({
    what: `The answer to ${request} of run ${id} is not JSON`,
  }));

const now = "unixepoch('subsec') * 1000";

// One in force may have been taken a moment before its run is created.
const isStrayLease = `
  (owner is null or renewed_at + ttl_ms <= ${now})
  and not exists (select 1 from streams where id = leases.root and streams.root = leases.root)`;

const strayLeases: Question = (statement) => {
  const [{ count } = { count: 0 }] = rowsOf<{ count: number }>(
    statement,
    `select count(*) as count from leases where ${isStrayLease}`,
  );
  return some(count, "lease", "hold", "no run", removal(`delete from leases where ${isStrayLease}`));
};

/** What two clocks that are set by the network may differ by. */
const skewMs = 60_000;
const selectFutureLeases = `
  select root, renewed_at as renewedAt, renewed_at + ttl_ms as expiresAt from leases
  where owner is not null and renewed_at > ${now} + ${skewMs} limit ${most}`;

const futureLeases: Question = (statement) =>
  rowsOf<{ root: string; renewedAt: number; expiresAt: number }>(statement, selectFutureLeases).map(
    ({ root, renewedAt, expiresAt }) => ({
      what:
        `The lease of run ${root} was renewed at ${dateOf(renewedAt)}, which is yet to come, so that it lapses only at ` +
        `${dateOf(expiresAt)}; check the clock`,
    }),
  );

function rowsOf<Row>(statement: Connection["statement"], sql: string): readonly Row[] {
  return statement(sql).all() as Row[];
}

function some(count: number, noun: string, verb: string, rest: string, work: Remedy["work"]): Fault[] {
  if (count === 0) return [];
  const what = count === 1 ? `One ${noun} ${verb}s ${rest}` : `${count} ${noun}s ${verb} ${rest}`;
  return [{ what, remedy: { done: count === 1 ? "it was removed" : "they were removed", work } }];
}

function removal(sql: string): Remedy["work"] {
  return ({ statement, forget }) => {
    statement(sql).run();
    forget();
  };
}

function dateOf(ms: number): string {
  return new Date(ms).toISOString();
}
