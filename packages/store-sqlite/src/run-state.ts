// Where a run stands, read off its last event in SQL. Files may be put back behind the end of a run and while it waits: that
// changes what lies in the workspace and not where the run stands, so such an event is looked past.

const isRewind = `glob '{"type":"files.rewound"*'`;

/** The state that `facts`, the text of an event, leaves a run in. */
export function runState(facts: string): string {
  const is = (type: string) => `${facts} glob '{"type":"${type}"*'`;
  return `case when ${is("run.finished")} then 'ended' when ${is("run.paused")} then 'paused' else 'running' end`;
}

/** A query for `columns` of the last event of the stream at hand that is no rewind. */
export function withoutRewinds(columns: string): string {
  return `select ${columns} from events where run = streams.key and not facts ${isRewind} order by seq desc limit 1`;
}

/** The state of the stream at hand, of which `facts` is the last event's text: most often that alone tells. */
export function streamState(facts: string): string {
  const before = `coalesce((${withoutRewinds(runState("facts"))}), 'running')`;
  return `case when ${facts} ${isRewind} then ${before} else ${runState(facts)} end`;
}
