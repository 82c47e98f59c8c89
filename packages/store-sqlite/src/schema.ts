// The file's format: its marks, its tables, and the views that people read. A fact is stored once; whatever a view says is
// taken out of the events' JSON when it is asked for. A layout that was released is never changed: what is new is a layout more.
import { runState, withoutRewinds } from "./run-state.js";

/** "IOHr", so that tools can tell what the file is (`PRAGMA application_id`). */
export const applicationId = 0x494f4872;
// A table with the run and the seq as its key would be clustered: five times dearer to append to. Streams have a short key
// because every event repeats it. `facts` and `content` come last: a reader of the rest need not follow long rows.
const format1 = `
create table streams (
  key integer primary key,
  id text not null unique,
  root text not null,
  parent text,
  created_at integer not null
) strict;
create index streams_by_root on streams (root);
create index streams_by_age on streams (created_at);

create table events (
  run integer not null,
  seq integer not null,
  hash text not null,
  content_hash text,
  facts text not null,
  content text,
  unique (run, seq)
) strict;

create table leases (
  root text primary key,
  owner text,
  process text,
  generation integer not null,
  ttl_ms integer not null,
  renewed_at integer not null
) strict;

create table answers (
  position integer primary key,
  run integer not null,
  request text not null,
  answer text not null,
  unique (run, request)
) strict;

create table blobs (
  digest text primary key,
  bytes blob not null
) strict;
`;

/** The name of the blob in which an event keeps a file. Whatever stands in a damaged row, it can be asked for. */
export const keptDigest = "case when json_valid(facts) then facts ->> '$.digest' end";
/** An event of which the words are a blob, unless they were emptied. */
export const hasWordsElsewhere = "content is null and content_hash is not null";
export const keepsFile = `facts glob '{"type":"file.kept"*'`;

// Where runs work, which of them were emptied, and who names a blob: both indexes are small, because few events name one. How
// often bytes were put tells whether somebody is about to name them.
const format2 = `
alter table streams add column workspace text;
alter table streams add column archived_at integer;
create index streams_by_workspace on streams (workspace, created_at);

create index events_by_words on events (content_hash) where ${hasWordsElsewhere};
create index events_by_file on events (${keptDigest}) where ${keepsFile};

create table blob_puts (
  digest text primary key,
  times integer not null,
  last_at integer not null
) strict, without rowid;
`;

/**
 * Each brings a file of the format before it to its own; the first, an empty one. A new file goes through all of them, so that it
 * does not differ from one that was brought up.
 */
export const layouts: readonly string[] = [format1, format2];

/** The format that is written (`PRAGMA user_version`). A file with a higher one can be read and is not written to. */
export const formatVersion = layouts.length;

/** Events with what every one has, for the views to start from. `run` is the stream's key. */
const typed = `
  select run, seq, facts, content,
    facts ->> '$.type' as type, facts ->> '$.step' as step, facts ->> '$.at' as at, facts ->> '$.call' as call
  from events`;

const time = (ms: string) => `strftime('%Y-%m-%dT%H:%M:%fZ', (${ms}) / 1000.0, 'unixepoch')`;

const runs = `
create view runs as
select
  streams.id as run, streams.root, streams.parent, ${time("streams.created_at")} as created_at,
  ${runState("last.facts")} as state,
  coalesce(last.facts ->> '$.ending.type', last.facts ->> '$.pause.type') as outcome,
  (select count(*) from events where run = streams.key and facts ->> '$.type' = 'step.finished') as steps,
  (select count(*) from events where run = streams.key) as events,
  ${time("(select facts ->> '$.at' from events where run = streams.key order by seq desc limit 1)")} as last_event_at,
  first.content ->> '$.contract.goal' as goal,
  coalesce(streams.workspace, first.facts ->> '$.workspace') as workspace,
  first.facts ->> '$.provider' as provider,
  leases.owner as driver,
  ${time("streams.archived_at")} as archived_at
from streams
left join events as first on first.run = streams.key and first.seq = 1
left join events as last on last.run = streams.key and last.seq = (${withoutRewinds("seq")})
left join leases on leases.root = streams.root;
`;

const steps = `
create view steps as
with typed as (${typed})
select
  streams.id as run, step,
  ${time("min(at)")} as started_at,
  ${time("max(case type when 'step.finished' then at end)")} as finished_at,
  max(at) - min(at) as duration_ms,
  max(case type when 'step.finished' then facts ->> '$.changed' end) as changed,
  max(case type when 'step.finished' then facts ->> '$.ends.type' end) as ends,
  sum(type = 'tool.finished') as calls,
  sum(type = 'act.refused') as refusals,
  sum(case when type in ('completion.finished', 'completion.failed') then facts ->> '$.usage.totalTokens' end) as tokens
from typed join streams on streams.key = typed.run
where step > 0
group by streams.id, step;
`;

const providerCalls = `
create view provider_calls as
with typed as (${typed})
select
  streams.id as run, step, facts ->> '$.attempt' as attempt, ${time("at")} as at,
  case type when 'completion.finished' then 'finished' else 'failed' end as result,
  facts ->> '$.model' as model, facts ->> '$.servedBy' as served_by,
  facts ->> '$.stop' as stop, facts ->> '$.finishReason' as finish_reason,
  facts ->> '$.kind' as failure, facts ->> '$.status' as status, content ->> '$.message' as message,
  facts ->> '$.retryInMs' as retry_in_ms,
  facts ->> '$.usage.promptTokens' as prompt_tokens,
  facts ->> '$.usage.completionTokens' as completion_tokens,
  facts ->> '$.usage.totalTokens' as total_tokens,
  facts ->> '$.usage.cacheReadTokens' as cache_read_tokens,
  facts ->> '$.usage.cacheWriteTokens' as cache_write_tokens,
  facts ->> '$.usage.reasoningTokens' as reasoning_tokens,
  facts ->> '$.ttftMs' as ttft_ms, facts ->> '$.requestId' as request_id
from typed join streams on streams.key = typed.run
where type in ('completion.finished', 'completion.failed');
`;

const toolCalls = `
create view tool_calls as
with
  typed as (${typed}),
  asked as (
    select run, step, step || '.' || (item.key + 1) as call,
      item.value ->> '$.name' as tool, item.value ->> '$.effect' as effect, item.value ->> '$.recovery' as recovery,
      content -> ('$.calls[' || item.key || '].arguments') as arguments
    from typed, json_each(facts, '$.calls') as item
    where typed.type = 'completion.finished'
  ),
  happened as (
    select run, call,
      min(case type when 'tool.started' then at end) as started_at,
      max(case type when 'tool.finished' then at end) as finished_at,
      max(case type when 'tool.finished' then facts ->> '$.status' end) as status,
      max(case type when 'tool.finished' then facts ->> '$.changed' end) as changed,
      max(case type when 'tool.finished' then content ->> '$.text' end) as result
    from typed
    where type in ('tool.started', 'tool.finished')
    group by run, call
  )
select
  streams.id as run, asked.step, asked.call, tool, effect, recovery, arguments, status, changed,
  ${time("started_at")} as started_at, ${time("finished_at")} as finished_at,
  finished_at - started_at as duration_ms, result
from asked
join streams on streams.key = asked.run
left join happened on happened.run = asked.run and happened.call = asked.call;
`;

const refusals = `
create view refusals as
with typed as (${typed})
select
  streams.id as run, step, call, ${time("at")} as at,
  facts ->> '$.act' as act, facts ->> '$.target' as target,
  facts ->> '$.rule' as rule, facts ->> '$.layer' as layer, facts ->> '$.reason' as reason,
  content ->> '$.detail' as detail
from typed join streams on streams.key = typed.run
where type = 'act.refused';
`;

// What a vendor did not report is counted, and not taken for nothing.
const spend = `
create view spend as
with typed as (${typed})
select
  streams.id as run, streams.root, facts ->> '$.model' as model,
  count(*) as calls,
  sum(facts -> '$.usage' = 'null') as unreported,
  coalesce(sum(facts ->> '$.usage.promptTokens'), 0) as prompt_tokens,
  coalesce(sum(facts ->> '$.usage.completionTokens'), 0) as completion_tokens,
  coalesce(sum(facts ->> '$.usage.totalTokens'), 0) as total_tokens,
  coalesce(sum(facts ->> '$.usage.cacheReadTokens'), 0) as cache_read_tokens,
  coalesce(sum(facts ->> '$.usage.cacheWriteTokens'), 0) as cache_write_tokens,
  coalesce(sum(facts ->> '$.usage.reasoningTokens'), 0) as reasoning_tokens
from typed join streams on streams.key = typed.run
where type = 'completion.finished' or (type = 'completion.failed' and facts -> '$.usage' <> 'null')
group by streams.id, streams.root, facts ->> '$.model';
`;

const all = { runs, steps, provider_calls: providerCalls, tool_calls: toolCalls, refusals, spend };

/** Makes the views, in place of those of a former format. */
export const views = Object.entries(all)
  .map(([name, sql]) => `drop view if exists ${name};${sql}`)
  .join("");
