// How long a vendor asks us to wait, in every form that is in use. What cannot be read counts as not said: the loop then waits as
// it would have waited anyway.

export interface WaitEvidence {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** `error.details` of the body. */
  readonly details: readonly unknown[];
  /** Epoch ms. Absent: dates are passed over. */
  readonly nowMs?: number | undefined;
}

/** In ms, whole, never negative. `undefined` when nothing was said that can be read. */
export function retryAfterMs({ status, headers, details, nowMs }: WaitEvidence): number | undefined {
  return (
    scaled(headers["retry-after-ms"], 1) ??
    scaled(headers["retry-after"], 1_000) ??
    untilDate(headers["retry-after"], nowMs) ??
    retryInfo(details) ??
    (status === 429 ? exhaustedReset(headers, nowMs) : undefined)
  );
}

function scaled(text: string | undefined, unitMs: number): number | undefined {
  if (text === undefined || !/^\s*\d+(\.\d+)?\s*$/.test(text)) return undefined;
  const ms = Math.ceil(Number(text) * unitMs);
  return Number.isSafeInteger(ms) ? ms : undefined;
}

const dateShapes = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]+day, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
];
const rfc3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;

function untilDate(text: string | undefined, nowMs: number | undefined, shapes = dateShapes): number | undefined {
  const date = text?.trim();
  if (date === undefined || nowMs === undefined || !shapes.some((shape) => shape.test(date))) return undefined;
  const at = Date.parse(date);
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs);
}

/** `{ "@type": "…RetryInfo", "retryDelay": "34.4s" }` */
function retryInfo(details: readonly unknown[]): number | undefined {
  for (const detail of details) {
    const delay = (detail as { readonly retryDelay?: unknown } | null)?.retryDelay;
    if (typeof delay === "string" && /^\d+(\.\d+)?s$/.test(delay)) return Math.ceil(Number(delay.slice(0, -1)) * 1_000);
  }
  return undefined;
}

const remainingHeader = /^(x-ratelimit|anthropic-ratelimit)-(?:remaining-(.+)|(.+)-remaining|remaining)$/;

/** The longest reset among the limits of which nothing remains. */
function exhaustedReset(headers: Readonly<Record<string, string>>, nowMs: number | undefined): number | undefined {
  const waits = Object.keys(headers).flatMap((name) => {
    const match = remainingHeader.exec(name);
    if (!match || headers[name]?.trim() !== "0") return [];
    const wait = resetMs(headers[resetHeader(match)], nowMs);
    return wait === undefined ? [] : [wait];
  });
  return waits.length === 0 ? undefined : Math.max(...waits);
}

function resetHeader([, vendor, after, before]: RegExpExecArray): string {
  if (before !== undefined) return `${vendor}-${before}-reset`;
  return after === undefined ? `${vendor}-reset` : `${vendor}-reset-${after}`;
}

const unitsMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** `6m0s`, `1.5s`, `12ms`, plain seconds, epoch ms, or a date. */
function resetMs(text: string | undefined, nowMs: number | undefined): number | undefined {
  const reset = text?.trim();
  if (reset === undefined) return undefined;
  if (/^(\d+(\.\d+)?(ms|[smhd]))+$/.test(reset)) return spanMs(reset);
  const seconds = scaled(reset, 1_000);
  if (seconds === undefined) return untilDate(reset, nowMs, [rfc3339, ...dateShapes]);
  return Number(reset) < 1e11 ? seconds : untilEpoch(Number(reset), nowMs);
}

function spanMs(span: string): number {
  const parts = [...span.matchAll(/(\d+(?:\.\d+)?)(ms|[smhd])/g)];
  return Math.ceil(
    parts.reduce((sum, [, count, unit]) => sum + Number(count) * unitsMs[unit as keyof typeof unitsMs], 0),
  );
}

function untilEpoch(at: number, nowMs: number | undefined): number | undefined {
  return nowMs === undefined ? undefined : Math.max(0, at - nowMs);
}
