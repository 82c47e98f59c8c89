// Answers between real processes: one drives and waits, another one answers, or two answer at once, or the first is killed.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { attach } from "@harness/core";
import { runId } from "@harness/spec";
import { sqliteStore } from "@harness/store-sqlite";
import { describe, expect, it } from "vitest";
import { binary, started as harness } from "./binary.test-support.js";
import { type Desk, desk } from "./desk.test-support.js";
import { waiting, write } from "./runs.test-support.js";

const minutes = 120_000;
const sign = "Waits for an answer from anywhere.";

/** A run in a process of its own that waits for approval of a write. */
async function parked(at: Desk, ...names: readonly string[]) {
  const provider = at.provider(names.map((name) => write(name)));
  const contract = at.contract({ limits: { maxSteps: names.length + 1 } });
  const driver = harness(at, "run", contract, "--provider", provider, "--wait");
  await driver.printed(sign);
  return { driver, id: (await at.stored()).id };
}

describe.skipIf(!existsSync(binary))("two terminals (skipped where dist/ is not built: run `npm run build`)", () => {
  it(
    "one runs and waits, the other answers, and the first goes on",
    async () => {
      using at = desk();
      const { driver, id } = await parked(at, "a.txt");
      const answered = await harness(at, "approvals", "answer", id, "--approve", "--by", "ada").ended;
      const { code, output } = await driver.ended;

      expect(answered).toMatchObject({
        code: 0,
        output: expect.stringMatching(/The process that (drives the run goes on|drove the run took it)/),
      });
      expect(code, output).toBe(0);
      expect(output).toContain("✓ approved by ada");
      expect(existsSync(join(at.folder, "repo/a.txt"))).toBe(true);
    },
    minutes,
  );

  it(
    "the first is killed while it waits, and `resume --approve` finishes it",
    async () => {
      using at = desk();
      const { driver, id } = await parked(at, "a.txt");
      driver.child.kill("SIGKILL");
      await driver.ended;
      const resumable = await harness(at, "runs", "--resumable").ended;
      const { code, output } = await harness(at, "resume", id, "--approve").ended;

      expect(resumable.output).toContain("cut short in step 1, while it waited for approval");
      expect(resumable.output).toContain(`harness resume ${id} --approve\n`);
      expect(code, output).toBe(0);
      expect(existsSync(join(at.folder, "repo/a.txt"))).toBe(true);
      expect((await harness(at, "verify", id).ended).code).toBe(0);
    },
    minutes,
  );

  it(
    "an answer that is given while nobody drives waits for whoever resumes",
    async () => {
      using at = desk();
      const { driver, id } = await parked(at, "a.txt");
      driver.child.kill("SIGKILL");
      await driver.ended;
      const answered = await harness(at, "approvals", "answer", id, "--approve", "--by", "ada").ended;
      const { code, output } = await harness(at, "resume", id).ended;

      expect(answered.output).toContain(`Nobody drives the run. To go on with it: harness resume ${id}\n`);
      expect(code, output).toBe(0);
      expect(output).toContain("✓ approved by ada");
    },
    minutes,
  );

  it(
    "of two who answer at once one is first, and the other is told who was",
    async () => {
      using at = desk();
      const id = await waiting(at);
      const say = (by: string, ...words: readonly string[]) =>
        harness(at, "approvals", "answer", id, `${id}/1.1`, "--by", by, ...words).ended;
      const ended = await Promise.all([say("ada", "--approve"), say("bob", "--deny", "not there")]);
      const resumed = await harness(at, "resume", id).ended;
      const first = ended[0].code === 0 ? "ada" : "bob";
      const second = ended[first === "ada" ? 1 : 0];

      expect(ended.map(({ code }) => code).sort()).toEqual([0, 2]);
      expect(second.output).toContain(`${first} has answered ${id}/1.1 before`);
      expect(resumed.code).toBe(0);
      expect(existsSync(join(at.folder, "repo/a.txt"))).toBe(first === "ada");
    },
    minutes,
  );

  it(
    "a run that waits hears of an answer in moments (printed, not judged)",
    async () => {
      using at = desk();
      const names = Array.from({ length: 30 }, (_, index) => `${index}.txt`);
      const { driver, id } = await parked(at, ...names);
      const tookMs = await answerAll(at, id, names.length);
      const { code } = await driver.ended;
      const sorted = [...tookMs].sort((a, b) => a - b);
      const at95 = sorted[Math.ceil(sorted.length * 0.95) - 1];
      console.log(
        `from an answer that was written to its call: median ${sorted[sorted.length >> 1]} ms, p95 ${at95} ms, n ${sorted.length}`,
      );

      expect(code).toBe(0);
      expect(tookMs).toHaveLength(names.length);
    },
    minutes,
  );
});

/** Approves what the run asks, `times` times, from this process. Resolves to the ms from each answer until its call is begun. */
async function answerAll(at: Desk, id: string, times: number): Promise<readonly number[]> {
  await using store = sqliteStore({ path: at.storePath });
  const seat = attach(store, runId(id));
  const given = new Map<string, number>();
  const tookMs: number[] = [];
  const over = new AbortController();
  for await (const event of seat.events({ follow: over.signal })) {
    if (event.type === "approval.requested") {
      await seat.answer({ type: "approval", request: event.request, by: "ada", decision: { type: "approve" } });
      given.set(event.call, Date.now());
    }
    if (event.type !== "tool.started") continue;
    tookMs.push(event.at - (given.get(event.call) ?? 0));
    if (tookMs.length === times) over.abort();
  }
  return tookMs;
}
