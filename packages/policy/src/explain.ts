// The one evaluation. Enforcement, explanation, descriptions and contained policies all come through here, so none of them
// can differ. Deny is looked for first, then ask, then allow, each in every layer; only then does the act's default count.
import type { Act, ActRefusedError, ActType, ExecAct, FileAct, PolicyData, Verdict } from "@harness/spec";
import { assertNameable, refusal } from "./form.js";
import { netTarget } from "./hosts.js";
import { exactView, type Platform, pathForm, type View, viewOf } from "./paths.js";
import { type RuleSet, ruleSet } from "./rule-set.js";
import { actTypes, precedence, stricter } from "./vocabulary.js";

export interface ExplainOptions {
  /** How the paths of read and write acts and rules are spelled. Default `posix`: a backslash is a character like any other. */
  readonly platform?: Platform;
}

/**
 * What `policy` says of `act`. Targets are brought to their canonical form first, so any spelling of one target has one
 * verdict. `rule` is the deciding pattern as written, and `rule` and `layer` are absent when the act's default decided.
 *
 * Throws `ActRefusedError` for a target that cannot be named, whatever the rules say: NUL or a lone surrogate, a path
 * that climbs above the workspace root, an address without a port, an empty command. Throws `ConfigError` when the policy
 * has an unknown word or a pattern that can never match, instead of passing it over.
 *
 * Rules are compiled on the first call and kept with the policy object, which must not be changed afterwards.
 */
export function explain(policy: PolicyData, act: Act, options: ExplainOptions = {}): Verdict {
  switch (act.type) {
    case "read":
    case "write":
      return explainFile(policy, act, options.platform ?? "posix");
    case "exec":
      return explainCommand(policy, act);
    case "net":
      return explainDial(policy, act.target);
    default:
      throw unknownAct(act);
  }
}

/** The verdict on a target in canonical form: on `whole`, and on `part` of it where that differs. */
export function judge(policy: PolicyData, act: ActType, whole: string, part: string, view: View = exactView): Verdict {
  return decided(ruleSet(policy, act, view), whole, part) ?? { effect: policy.defaults[act] };
}

function decided(rules: RuleSet, whole: string, part: string): Verdict | undefined {
  for (const effect of precedence) {
    for (const rule of rules[effect]) {
      if (rule.matches(whole) || (part !== whole && rule.matches(part))) {
        return { effect, rule: rule.pattern, layer: rule.layer };
      }
    }
  }
  return undefined;
}

function explainFile(policy: PolicyData, act: FileAct, platform: Platform): Verdict {
  assertNameable(act.type, act.target);
  const view = viewOf(act.foldsCase === true, platform);
  const { text, problem } = pathForm(act.target, view);
  if (problem !== undefined) throw refusal(act.type, act.target, problem);
  return judge(policy, act.type, text, basename(text), view);
}

/**
 * The strictest of what is said of the program and of the whole command. A tool that is governed by its name has no
 * `argv`, and its name is all there is.
 */
function explainCommand(policy: PolicyData, { target, argv }: ExecAct): Verdict {
  assertNameable("exec", target);
  const named = judge(policy, "exec", target, basename(target));
  if (argv === undefined) return named;
  for (const word of argv) assertNameable("exec", word);
  const [program] = argv;
  if (program === undefined) throw refusal("exec", target, "its command is empty");
  // What starts is argv's first word. A target that says otherwise does not get to speak for it.
  const started = program === target ? named : stricter(named, judge(policy, "exec", program, basename(program)));
  return argv.length === 1 ? started : stricter(started, explainLine(policy, program, argv.join(" ")));
}

/**
 * The command as one line, and the line with the program's folder left off. A rule that fits only the second may refuse or
 * ask, since `/usr/bin/git push` is a `git push`. It may not allow: `npm *` is no licence for every file called `npm`.
 * Slashes in arguments mean nothing here, so the line has no basename.
 */
function explainLine(policy: PolicyData, program: string, line: string): Verdict {
  const written = judge(policy, "exec", line, line);
  const bare = line.slice(program.lastIndexOf("/") + 1);
  const tightened = bare === line ? undefined : decided(ruleSet(policy, "exec", exactView), bare, bare);
  return tightened ? stricter(written, tightened) : written;
}

/** Rules for a host hold for each of its ports, so the host alone is the second candidate. */
function explainDial(policy: PolicyData, address: string): Verdict {
  const target = netTarget(address);
  return judge(policy, "net", target, target.slice(0, target.lastIndexOf(":")));
}

function basename(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Acts also come from tools that no compiler has seen. What is not an act is not allowed. */
function unknownAct(act: never): ActRefusedError {
  const { type, target } = act as { readonly type: ActType; readonly target: unknown };
  return refusal(type, target, `${JSON.stringify(type)} is not an act (${actTypes.join(", ")})`);
}
