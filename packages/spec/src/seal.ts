// How an event becomes bytes. Facts and content are kept as the text that was hashed and are never serialised again;
// `hash` covers the previous hash, the facts and the digest of the content, so that content can be emptied and the chain
// still verifies.
import { sha256 } from "./digest.js";
import type { RunEvent, RunEventType } from "./events/run-event.js";
import type { Digest, RunId } from "./ids.js";
import type { Redactor } from "./redact.js";

export interface StoredEvent {
  readonly seq: number;
  /** JSON text of everything but `content`; starts with `{"type":"…"`. */
  readonly facts: string;
  /** JSON text; `null` where there is none, where retention emptied it, and where it is a blob named by `contentHash`. */
  readonly content: string | null;
  /** SHA-256 of the content's text, `null` where there never was one. */
  readonly contentHash: Digest | null;
  readonly hash: Digest;
}

/** Where a chain stands. */
export interface TraceHead {
  readonly seq: number;
  readonly hash: Digest;
}

export interface SealedEvent {
  /** The event as a reader of the log will see it: well-formed and redacted. */
  readonly event: RunEvent;
  readonly stored: StoredEvent;
}

/** The head of a stream without events. Depends on the run, so that one run's events do not verify under another's name. */
export function genesis(run: RunId): TraceHead {
  return { seq: 0, hash: sha256(`io-harness trace 1\n${run}`) };
}

/** Cleans `event`, turns it into text, and chains it behind `head`. */
export function seal(head: TraceHead, event: RunEvent, redact: Redactor): SealedEvent {
  let clean = event;
  let facts = factsOf(event);
  let content = event.content === undefined ? null : JSON.stringify(event.content);
  const checked = redact.value(event, facts, content ?? "");
  if (checked !== event) {
    clean = checked;
    facts = factsOf(clean);
    content = clean.content === undefined ? null : JSON.stringify(clean.content);
  }
  const contentHash = content === null ? null : sha256(content);
  const hash = chain(head.hash, facts, contentHash);
  return { event: clean, stored: { seq: event.seq, facts, content, contentHash, hash } };
}

/** The hash of an event behind one with hash `previous`. */
export function chain(previous: Digest, facts: string, contentHash: Digest | null): Digest {
  return sha256(`${previous}\n${facts}\n${contentHash ?? ""}`);
}

function factsOf(event: RunEvent): string {
  const facts = event.content === undefined ? event : withoutContent(event);
  const json = JSON.stringify(facts);
  // Stores read the type off the beginning, whoever built the event.
  return json.startsWith('{"type":') ? json : JSON.stringify({ ...{ type: event.type }, ...facts });
}

function withoutContent(event: RunEvent): object {
  const { content: _content, ...facts } = event;
  return facts;
}

/** The type of a stored event, without parsing it. */
export function typeOf(stored: StoredEvent): RunEventType {
  return stored.facts.slice(9, stored.facts.indexOf('"', 9)) as RunEventType;
}

/**
 * Reads an event back. `content` is the text of a blob where `stored.content` is one. Where retention emptied the content the
 * event has none. Throws `SyntaxError` for text that is not what `seal` writes.
 */
export function unseal(stored: StoredEvent, content: string | null = stored.content): RunEvent {
  const event = JSON.parse(stored.facts);
  if (content !== null) event.content = JSON.parse(content);
  return event as RunEvent;
}
