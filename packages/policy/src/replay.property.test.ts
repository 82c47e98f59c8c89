// What must hold of every replay: under the policy of the run nothing differs but what approvals added, and under another one exactly
// that differs of which the evaluator says so.
import {
  type Act,
  type ActType,
  callId,
  type Effect,
  genesis,
  type NewEvent,
  type PolicyData,
  type RunEvent,
  redactor,
  runId,
  type StoredEvent,
  seal,
} from "@harness/spec";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { explain, replayPolicy } from "./index.js";

const effect = fc.constantFrom<Effect>("allow", "ask", "deny");
const pattern = fc.constantFrom("*", "a", "b*", "a b", "?");
const record = <Value>(model: { [Key in keyof Value]: fc.Arbitrary<Value[Key]> }) =>
  fc.record<Value>(model, { noNullPrototype: true });
const rule = record({ act: fc.constantFrom<ActType>("read", "write", "exec"), effect, pattern });
const layer = record({ name: fc.constantFrom("x", "y"), rules: fc.array(rule, { maxLength: 3 }) });
const policy: fc.Arbitrary<PolicyData> = record({
  layers: fc.array(layer, { maxLength: 2 }),
  defaults: record({ read: effect, write: effect, exec: effect, net: effect }),
});
const words = fc.array(fc.constantFrom("a", "b", "ba"), { minLength: 1, maxLength: 3 });
const act: fc.Arbitrary<Act> = fc.oneof(
  record({ type: fc.constantFrom("read" as const, "write" as const), target: fc.constantFrom("a", "b", "c/a") }),
  words.map((argv): Act => ({ type: "exec", target: argv[0] ?? "", argv })),
);

interface Planned {
  readonly acts: readonly Act[];
  readonly answer: "approve" | "deny" | "defer";
}

const calls: fc.Arbitrary<readonly Planned[]> = fc.array(
  record({
    acts: fc.array(act, { minLength: 1, maxLength: 3 }),
    answer: fc.constantFrom("approve" as const, "deny" as const, "defer" as const),
  }),
  { maxLength: 8 },
);

/** What a run under `policy` records of `calls`, one to a step. */
function traceOf(under: PolicyData, planned: readonly Planned[]): readonly StoredEvent[] {
  const events = planned.flatMap((call, index) => [...callEvents(under, call, index + 1), stepFinished(index + 1)]);
  const first = { type: "run.started", step: 0, policy: under, content: { contract: { verify: { type: "none" } } } };
  let head = genesis(runId("run-1"));
  return [first as unknown as NewEvent, ...events].map((event) => {
    head = seal(head, { ...event, seq: head.seq + 1, at: 1 } as RunEvent, redactor()).stored;
    return head as StoredEvent;
  });
}

const stepFinished = (step: number): NewEvent => ({ type: "step.finished", step, changed: false, ends: null });

function callEvents(under: PolicyData, { acts, answer }: Planned, step: number): readonly NewEvent[] {
  const judged = acts.map((one) => ({ act: one, verdict: explain(under, one) }));
  const call = callId(step, 1);
  const denied = judged.find(({ verdict }) => verdict.effect === "deny");
  if (denied) return [refusal(call, step, denied.act, denied.verdict)];
  const started = { type: "tool.started", step, call, acts: judged } as const;
  if (!judged.some(({ verdict }) => verdict.effect === "ask")) return [started];
  const request = { step, call, request: `r/${call}` };
  const asked = { type: "approval.requested", ...request, tool: "t", acts: judged, content: { input: {} } };
  const decided = { type: "approval.decided", ...request, decision: answer, by: "p", final: false, remember: [] };
  return [asked, decided, ...(answer === "approve" ? [started] : [])] as readonly NewEvent[];
}

function refusal(call: string, step: number, one: Act, { rule, layer }: { rule?: string; layer?: string }): NewEvent {
  const target = one.type === "exec" && one.argv ? one.argv.join(" ") : one.target;
  const by = { rule: rule ?? null, layer: layer ?? null, reason: rule === undefined ? "default" : "rule" };
  return { type: "act.refused", step, call, act: one.type, target, ...by, content: { detail: null } } as NewEvent;
}

describe("any replay", () => {
  it("finds nothing under the policy of the run itself", async () => {
    await fc.assert(
      fc.asyncProperty(policy, calls, async (under, planned) => {
        const { differences, summary, unjudged } = await replayPolicy(traceOf(under, planned), under);

        expect([differences, summary, unjudged.refusedUnclear]).toEqual([[], [], 0]);
      }),
      { numRuns: 300 },
    );
  });

  it("finds what the evaluator says of each act that was recorded, and adds it up", async () => {
    await fc.assert(
      fc.asyncProperty(policy, policy, calls, async (under, other, planned) => {
        const { differences, summary } = await replayPolicy(traceOf(under, planned), other);

        for (const { act: one, decided, now, kind } of differences) {
          expect(now).toEqual(explain(other, one));
          expect(decided).toMatchObject(explain(under, one));
          expect(kind === "other-rule").toBe(now.effect === decided.effect);
        }
        expect(summary.reduce((sum, { count }) => sum + count, 0)).toBe(differences.length);
        const lifted = planned
          .flatMap(({ acts }) => acts.filter((one) => explain(under, one).effect === "deny").slice(0, 1))
          .filter((one) => explain(other, one).effect !== "deny");
        const found = differences.filter(({ decided, now }) => decided.effect === "deny" && now.effect !== "deny");
        expect(found.map(({ act: one }) => [one.type, one.target])).toEqual(
          lifted.map((one) => [one.type, one.target]),
        );
      }),
      { numRuns: 300 },
    );
  });

  it("takes a long trace one event at a time, and says what it finds at once", async () => {
    const defaults = { read: "allow", write: "allow", exec: "allow", net: "deny" } as const;
    const call = { acts: [{ type: "write", target: "a" }], answer: "approve" } as const;
    const [first, ...step] = traceOf({ layers: [], defaults }, [call]);
    let found = 0;
    const late: number[] = [];
    function* long(): Generator<StoredEvent> {
      yield first as StoredEvent;
      for (let round = 0; round < 50_000; round += 1) {
        if (found !== round) late.push(round);
        yield* step;
      }
    }
    const onDifference = () => {
      found += 1;
    };

    const denying = { layers: [], defaults: { ...defaults, write: "deny" } } as const;
    const { judged, differences } = await replayPolicy(long(), denying, { onDifference });

    expect([judged, found, late, differences]).toEqual([50_000, 50_000, [], []]);
  });
});
