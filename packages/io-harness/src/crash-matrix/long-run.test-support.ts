// A run of 250 steps, for being killed again and again.
import { call, calls, say } from "@harness/testing";
import type { Scenario } from "./scenario.test-support.js";

const steps = 250;

/** New files, an edit of one that is edited again and again, effects that may not be repeated, effects that may, and reads. */
function turn(step: number) {
  const round = Math.floor(step / 5);
  switch (step % 5) {
    case 0:
      return call("write_file", { path: `made/${step}.txt`, content: `${step}\n`.repeat(20) });
    case 1:
      return call("edit_file", { path: "count.txt", search: `at ${round}.`, replace: `at ${round + 1}.` });
    case 2:
      return calls(call("send", { text: `letter ${step}` }), call("read_file", { path: "count.txt" }));
    case 3:
      return call("measure", { text: `length ${step}` });
    default:
      return calls(call("read_file", { path: "count.txt" }), call("list_dir", { path: "made" }));
  }
}

export const longRun: Scenario = {
  name: "a run of many steps",
  script: () => [...Array.from({ length: steps - 1 }, (_, step) => turn(step)), say("done")],
  files: { "count.txt": "at 0.\n" },
  contract: { limits: { maxSteps: steps + 50 } },
  ends: "finished",
};
