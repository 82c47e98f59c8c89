// Asking the gate. Three answers: passed, failed (it ran and said no), errored (it could not run, which says nothing of the
// work). A gate that was interrupted is simply asked again: it must be repeatable.
import { readFile, realpath } from "node:fs/promises";
import { isAbsolute, join, relative, sep } from "node:path";
import type { Clock, CommandGate, ExecAct, NewEvent, Sandbox, SandboxOutcome, TaskContract } from "@harness/spec";
import { deciding, judge } from "../boundary/judge.js";
import { type RecordingPorts, recordedSandbox } from "../boundary/recorded-sandbox.js";
import { explainRefusal, refusalOf } from "../boundary/refusal.js";
import { graceMs, type Scope, type Scopes, within } from "../time/scope.js";

export interface GatePorts extends RecordingPorts {
  readonly sandbox: Sandbox | undefined;
  readonly clock: Clock;
  readonly scopes: Scopes;
  durable(): Promise<void>;
}

export interface GateAnswer {
  readonly result: "passed" | "failed" | "errored";
  readonly exitCode: number | null;
  readonly detail: string;
  readonly output: string | null;
}

/** Asks and records. A run that is stopped meanwhile has learnt nothing of its work: the next driver asks again. */
export async function performGate(ports: GatePorts, attempt: number): Promise<void> {
  const { step, contract } = ports;
  ports.record({ type: "gate.started", step, attempt });
  const scope = ports.scopes.open(Number.POSITIVE_INFINITY);
  const settled = await within(scope, ports.clock, graceMs, () => evaluate(ports, contract, scope));
  if (scope.stopped) return ports.record({ type: "gate.finished", step, attempt, ...stoppedGate });
  const answer =
    settled.type === "value" ? settled.value : errored(settled.type === "error" ? settled.error : "it did not answer");
  const { result, exitCode, detail, output } = answer;
  const reveal = contract.verify.type === "command" ? contract.verify.reveal : true;
  ports.record({ type: "gate.finished", step, attempt, result, exitCode, reveal, content: { detail, output } });
}

const stoppedGate = {
  result: "errored",
  exitCode: null,
  reveal: false,
  content: { detail: "the run was cancelled while the gate ran", output: null },
} as const satisfies Partial<NewEvent>;

async function evaluate(ports: GatePorts, contract: TaskContract, scope: Scope): Promise<GateAnswer> {
  const { verify, workspace } = contract;
  switch (verify.type) {
    case "none":
      return { result: "passed", exitCode: null, detail: "nothing is checked", output: null };
    case "command":
      return runCommand(ports, verify, scope);
    case "file-contains": {
      const text = await readCriterion(workspace, verify.path);
      return text?.includes(verify.text)
        ? passed(`${verify.path} has it`)
        : failed(`${verify.path} does not contain the text asked for`);
    }
    case "file-equals": {
      const text = await readCriterion(workspace, verify.path);
      return text === verify.text
        ? passed(`${verify.path} is as asked for`)
        : failed(`${verify.path} is not exactly the text asked for`);
    }
    default:
      return verify satisfies never;
  }
}

/** `null` for a file that is missing, unreadable or leads out of the workspace: none of them shows finished work. */
async function readCriterion(workspace: string, path: string): Promise<string | null> {
  try {
    const [root, file] = await Promise.all([realpath(workspace), realpath(join(workspace, path))]);
    const inside = relative(root, file);
    const isOutside = inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside);
    return isOutside ? null : await readFile(file, "utf8");
  } catch {
    return null;
  }
}

async function runCommand(ports: GatePorts, gate: CommandGate, scope: Scope): Promise<GateAnswer> {
  const act: ExecAct = { type: "exec", target: gate.argv[0], argv: gate.argv };
  const judged = deciding(judge(ports.policy, [act]));
  if (judged && judged.verdict.effect !== "allow") {
    const why =
      judged.verdict.effect === "deny"
        ? explainRefusal(refusalOf(judged))
        : "The policy wants it asked about, and a gate asks nobody.";
    return errored(`the policy does not allow \`${gate.argv.join(" ")}\` outright. ${why} Allow it with allowExec.`);
  }
  if (!ports.sandbox) return errored("no sandbox was given to run it in");
  // What it judges must be in the log before it is run.
  await ports.durable();
  const { caps, timeoutMs } = gate;
  const outcome = await recordedSandbox(ports, ports.sandbox, { owner: "gate", scope, caps }).run({
    argv: gate.argv,
    cwd: ports.contract.workspace,
    limits: { maxWallMs: timeoutMs },
    inherit: ports.contract.env,
  });
  return judgeCommand(gate, outcome);
}

function judgeCommand(gate: CommandGate, outcome: SandboxOutcome): GateAnswer {
  const output = [outcome.stdout.text, outcome.stderr.text].filter((text) => text !== "").join("\n");
  const { exitCode, capHit, signal } = outcome;
  if (exitCode === gate.expectExit && capHit === null) return { ...passed(`exited ${exitCode}`), exitCode, output };
  const ended = capHit
    ? `was stopped at its ${capHit} cap`
    : exitCode === null
      ? `was ended by ${signal ?? "a signal"}`
      : `exited ${exitCode}, expected ${gate.expectExit}`;
  return { result: "failed", exitCode, detail: `\`${gate.argv.join(" ")}\` ${ended}`, output };
}

function passed(detail: string): GateAnswer {
  return { result: "passed", exitCode: null, detail, output: null };
}

function failed(detail: string): GateAnswer {
  return { result: "failed", exitCode: null, detail, output: null };
}

function errored(reason: unknown): GateAnswer {
  const detail = reason instanceof Error ? reason.message : String(reason);
  return { result: "errored", exitCode: null, detail, output: null };
}
