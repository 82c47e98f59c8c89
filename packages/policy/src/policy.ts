// Policies as a fluent value. Every method returns a new one; what is behind it is the same frozen data that `explain`
// evaluates and that JSON holds, so nothing can be said here that the log could not say.
import type { Act, ActType, Defaults, Effect, PolicyData, Rule, Verdict } from "@harness/spec";
import { contain, merge } from "./combine.js";
import { type ExplainOptions, explain } from "./explain.js";
import { parsePolicy } from "./parse.js";
import { assertLayerName, assertRule, assertWord } from "./patterns.js";
import { defaultsFrom, denying, frozen, isPermissive, permissive, standard } from "./policy-data.js";
import { actTypes, effects } from "./vocabulary.js";

/**
 * What a run may do. `new Policy()` denies everything; rules and defaults then say what it may.
 *
 * Deny beats ask beats allow, in whatever order and layer they were written. Patterns are read as the README says; one
 * that could never match is a `ConfigError` when it is added.
 */
export class Policy {
  #data: PolicyData = denying;
  /** Rules go into the last layer only if this value's own `layer()` or first rule opened it. */
  #isOpen = false;

  /** Reads allowed, writes and commands asked for, network denied; files that usually hold secrets denied. */
  static standard(): Policy {
    return Policy.#of(standard, false);
  }

  /** Allows everything. Nothing is enforced, so it has to be written out. */
  static permissive(): Policy {
    return Policy.#of(permissive, false);
  }

  /** A policy from JSON. Throws `ConfigError`, naming the place, for anything that is not one. */
  static fromJSON(value: unknown): Policy {
    return Policy.#of(parsePolicy(value), false);
  }

  static #of(data: PolicyData, isOpen: boolean): Policy {
    const policy = new Policy();
    policy.#data = data;
    policy.#isOpen = isOpen;
    return policy;
  }

  toJSON(): PolicyData {
    return this.#data;
  }

  /** Enforces nothing: no rule in any layer, and every default is `allow`. */
  get isPermissive(): boolean {
    return isPermissive(this.#data);
  }

  /** Opens a layer; the rules that follow go into it, and verdicts name it. */
  layer(name: string): Policy {
    assertLayerName(name);
    return this.#with([...this.#data.layers, { name, rules: [] }], true);
  }

  /** Adds a rule to the layer opened last on this value, or to a new one called `policy`. */
  rule(act: ActType, effect: Effect, pattern: string): Policy {
    return this.#add(act, effect, [pattern]);
  }

  allowRead(...patterns: readonly string[]): Policy {
    return this.#add("read", "allow", patterns);
  }
  askRead(...patterns: readonly string[]): Policy {
    return this.#add("read", "ask", patterns);
  }
  denyRead(...patterns: readonly string[]): Policy {
    return this.#add("read", "deny", patterns);
  }

  allowWrite(...patterns: readonly string[]): Policy {
    return this.#add("write", "allow", patterns);
  }
  askWrite(...patterns: readonly string[]): Policy {
    return this.#add("write", "ask", patterns);
  }
  denyWrite(...patterns: readonly string[]): Policy {
    return this.#add("write", "deny", patterns);
  }

  allowExec(...patterns: readonly string[]): Policy {
    return this.#add("exec", "allow", patterns);
  }
  askExec(...patterns: readonly string[]): Policy {
    return this.#add("exec", "ask", patterns);
  }
  denyExec(...patterns: readonly string[]): Policy {
    return this.#add("exec", "deny", patterns);
  }

  allowNet(...patterns: readonly string[]): Policy {
    return this.#add("net", "allow", patterns);
  }
  askNet(...patterns: readonly string[]): Policy {
    return this.#add("net", "ask", patterns);
  }
  denyNet(...patterns: readonly string[]): Policy {
    return this.#add("net", "deny", patterns);
  }

  /** Sets what holds where no rule does, for the acts that are named. */
  defaults(changes: Partial<Defaults>): Policy {
    for (const [act, effect] of Object.entries(changes)) {
      assertWord("act", act, actTypes);
      assertWord("effect", effect, effects);
    }
    const defaults = defaultsFrom((act) => changes[act] ?? this.#data.defaults[act]);
    return Policy.#of(frozen({ layers: this.#data.layers, defaults }), this.#isOpen);
  }

  withDefault(act: ActType, effect: Effect): Policy {
    return this.defaults({ [act]: effect });
  }

  /** This policy with `overlay` stacked on it; see the function `merge`. */
  merge(overlay: Policy): Policy {
    return Policy.#of(merge(this.#data, overlay.toJSON()), false);
  }

  /** What `child` may do under this policy; see the function `contain`. */
  contain(child: Policy): Policy {
    return Policy.#of(contain(this.#data, child.toJSON()), false);
  }

  /** The verdict on an act; see the function `explain`. */
  explain(act: Act, options?: ExplainOptions): Verdict;
  /**
   * The verdict on a target. A command may be given as its argv or as one line, which is split at its spaces; a tool is
   * given by its name.
   */
  explain(type: ActType, target: string | readonly string[], options?: ExplainOptions): Verdict;
  explain(act: Act | ActType, target?: string | readonly string[] | ExplainOptions, options?: ExplainOptions): Verdict {
    if (typeof act !== "string") return explain(this.#data, act, target as ExplainOptions | undefined);
    return explain(this.#data, actOn(act, target as string | readonly string[]), options);
  }

  #add(act: ActType, effect: Effect, patterns: readonly string[]): Policy {
    const rules = patterns.map((pattern): Rule => ({ act, effect, pattern }));
    rules.forEach(assertRule);
    if (rules.length === 0) return this;
    const last = this.#isOpen ? this.#data.layers.at(-1) : undefined;
    const before = last ? this.#data.layers.slice(0, -1) : this.#data.layers;
    return this.#with([...before, { name: last?.name ?? "policy", rules: [...(last?.rules ?? []), ...rules] }], true);
  }

  #with(layers: PolicyData["layers"], isOpen: boolean): Policy {
    return Policy.#of(frozen({ layers, defaults: this.#data.defaults }), isOpen);
  }
}

function actOn(type: ActType, target: string | readonly string[]): Act {
  if (type !== "exec") return { type, target: target as string };
  if (typeof target === "string" && !target.includes(" ")) return { type, target };
  const argv = typeof target === "string" ? target.split(" ") : target;
  return { type, target: argv[0] ?? "", argv };
}
