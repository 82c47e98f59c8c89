// One-line changes to code that must never be wrong: in `file`, `from` stands exactly once and becomes `to`. Each suite says which
// tests of which project must turn red for its mutants, as parts of file names.
const inFile = (file, changes) => changes.map(([what, from, to]) => ({ what, file, from, to }));

export const suites = [
  {
    project: "spec",
    tests: ["verify-trace"],
    mutants: [
      ...inFile("packages/spec/src/verify-trace.ts", [
        ["a gap in the numbers verifies", "stored.seq !== head.seq + 1", "stored.seq <= head.seq"],
        ["changed content verifies", "sha256(content) !== stored.contentHash", "false"],
        ["changed facts verify", "stored.hash !== chain(head.hash, stored.facts, stored.contentHash)", "false"],
        [
          "events behind run.finished verify",
          'if (afterEnd && typeOf(stored) !== "files.rewound") return',
          "if (false) return",
        ],
        ["an undo behind run.finished does not verify", 'afterEnd && typeOf(stored) !== "files.rewound"', "afterEnd"],
      ]),
    ],
  },
  {
    project: "policy",
    tests: ["explain", "combine"],
    mutants: [
      ...inFile("packages/policy/src/vocabulary.ts", [
        [
          "an allow is looked for before a deny",
          '["deny", "ask", "allow"] as const',
          '["allow", "ask", "deny"] as const',
        ],
        ["the more lenient verdict wins", "difference > 0 ? second : first", "difference > 0 ? first : second"],
      ]),
      ...inFile("packages/policy/src/explain.ts", [
        ["what no rule speaks of is allowed", "{ effect: policy.defaults[act] }", '{ effect: "allow" }'],
        ["a rule does not meet the name alone", "|| (part !== whole && rule.matches(part))", ""],
        ["only the program of a command is judged", "argv.length === 1 ? started", "argv.length > 0 ? started"],
        [
          "argv may start another program than was judged",
          "program === target ? named",
          "program !== undefined ? named",
        ],
        ["a full path hides a program from a deny", "tightened ? stricter(written, tightened)", "tightened ? written"],
        ["case is told apart where the disk does not", "act.foldsCase === true", "false"],
      ]),
      ...inFile("packages/policy/src/rule-set.ts", [
        ["a rule holds for every act", "if (rule.act !== act) continue;", ""],
        ["only the first layer counts", "of policy.layers)", "of policy.layers.slice(0, 1))"],
      ]),
      ...inFile("packages/policy/src/combine.ts", [
        ["a contained child may allow", 'if (rule.effect === "allow") return [];', ""],
        ["a child's lenient default counts", "stricter(a.defaults[act], b.defaults[act])", "b.defaults[act]"],
      ]),
    ],
  },
  {
    project: "workspace",
    tests: ["src/paths/", "write-file"],
    mutants: [
      ...inFile("packages/workspace/src/paths/lexical-path.ts", [
        [
          "a path may climb above the root",
          "else if (parts.pop() === undefined) throw",
          "else if (parts.pop() === null) throw",
        ],
      ]),
      ...inFile("packages/workspace/src/paths/real-path.ts", [
        ["a sibling that starts with the root's name is inside", "root.endsWith(sep) ? root : root + sep", "root"],
        [
          "the link above a new file is not followed",
          "return link === undefined ? here : follow(parent, link, budget);",
          "return here;",
        ],
      ]),
      ...inFile("packages/workspace/src/paths/place.ts", [
        [
          "a link may lead out",
          "const inside = within(root.path, real);",
          "const inside = within(root.path, real) ?? target;",
        ],
        ["only a path's spelling is judged", "new Set([place.target, place.realTarget])", "new Set([place.target])"],
        ["where a link leads by now is not compared", "act && findAct(type, place.realTarget, granted)", "act"],
        ["what was denied counts as granted", '&& verdict.effect !== "deny"', ""],
      ]),
      ...inFile("packages/workspace/src/paths/open-exact.ts", [
        [
          "what was opened is not compared with what was judged",
          "isExact = await leadsTo(root, handle, path);",
          "isExact = true;",
        ],
      ]),
    ],
  },
  {
    project: "workspace",
    tests: ["patch-text"],
    mutants: [
      ...inFile("packages/workspace/src/patch/patch-text.ts", [
        ["hunks may overlap", "hunk.at < done ? overlap(hunk, done)", "false ? overlap(hunk, done)"],
        ["a hunk that does not match is applied", ": mismatch(hunk, old, lines);", ": undefined;"],
        ["a line may run into the one behind it", "if (isOpen(fresh) && end < lines.length)", "if (false)"],
        ["added lines keep the patch's endings", "isExact ? text : inStyleAt(lines, next, text)", "text"],
      ]),
      ...inFile("packages/workspace/src/patch/parse-patch.ts", [
        ["a header may miscount", "old !== header.count.old || fresh !== header.count.fresh", "false"],
      ]),
    ],
  },
  {
    project: "providers",
    tests: ["chat-failures", "src/transcript/", "src/fallback/", "classify"],
    mutants: [
      ...inFile("packages/providers/src/chat/chat-decoder.ts", [
        ["half an answer is one", 'if (this.state === "open") throw', "if (false) throw"],
      ]),
      ...inFile("packages/providers/src/transcript/pairs.ts", [
        ["a call without a result is sent", "if (count === 0) throw", "if (false) throw"],
      ]),
      ...inFile("packages/providers/src/transcript/transcript.ts", [
        ["what one model signed goes to another", "&& continuation.model === model", ""],
      ]),
      ...inFile("packages/providers/src/fallback/failures.ts", [
        ["a wrong key goes on to the next link", "return ownFailures.has(error.kind);", "return true;"],
      ]),
      ...inFile("packages/providers/src/http/kinds.ts", [
        ["an empty account is waited for", "status === 402 && asksToWait", "status === 402"],
      ]),
    ],
  },
  {
    project: "core",
    tests: ["boundary/caps", "boundary/containment", "boundary/inbox", "tools/plans"],
    mutants: [
      ...inFile("packages/core/src/boundary/containment.ts", [
        ["what a rule denies is not hidden", 'effect === "deny" && rule !== undefined', "false"],
      ]),
      ...inFile("packages/core/src/boundary/settle.ts", [
        [
          "the last answer counts",
          "(await inbox.leave(first.answer as Answer)) ? first.answer : ((await inbox.find(asked)) ?? first.answer)",
          "((await inbox.leave(first.answer as Answer)), first.answer)",
        ],
      ]),
      ...inFile("packages/core/src/boundary/plan-gate.ts", [
        ["commands run before a plan is approved", '{ act: "exec", effect: "deny", pattern: "*" },', ""],
      ]),
      ...inFile("packages/core/src/boundary/recorded-sandbox.ts", [
        ["a tool may raise the contract's caps", "Math.min(value, limits[name] ?? value)", "value"],
        ["the contract's caps do not reach a command", "{ ...first }", "{}"],
      ]),
    ],
  },
  {
    project: "sandbox-linux",
    tests: ["assemble-filter", "choose-rung", "bubblewrap/arguments"],
    mutants: [
      ...inFile("packages/sandbox-linux/src/filter/assemble-filter.ts", [
        ["a foreign architecture passes", 'value: calls.audit, no: "kill"', 'value: calls.audit, no: "pass"'],
        ["raw packets pass", 'family(families.packet, "EPERM"),', ""],
      ]),
      ...inFile("packages/sandbox-linux/src/bubblewrap/arguments.ts", [
        ["capabilities stay", '"--cap-drop", "ALL", ', ""],
        ["protected paths can be written", 'return ["--ro-bind", path, path];', 'return ["--bind", path, path];'],
      ]),
      ...inFile("packages/sandbox-linux/src/chain/choose-rung.ts", [
        [
          "an open network does not lower the choice",
          'lacksOf(report.enforces, needs, ["egress"]).length === 0',
          "true",
        ],
      ]),
    ],
  },
  {
    project: "store-sqlite",
    tests: ["sqlite-store"],
    mutants: [
      ...inFile("packages/store-sqlite/src/leases.ts", [
        ["an old generation may write", "&& held.generation === lease.generation) return held", ") return held"],
        ["another owner may write", "held?.owner === lease.owner && held.generation", "held && held.generation"],
        ["a new owner gets the old generation", "(held?.generation ?? 0) + 1", "(held?.generation ?? 1)"],
        ["a held tree may be taken", "if (held && !isMine) refuseWhileHeld", "if (false) refuseWhileHeld"],
        ["a dead owner is waited for", "=== false) return;", "=== undefined) return;"],
        [
          "anyone may give a tree back",
          "if (held?.owner !== lease.owner || held.generation !== lease.generation) return;",
          "if (!held) return;",
        ],
      ]),
      ...inFile("packages/store-sqlite/src/streams.ts", [
        ["a lease covers every tree", "if (stream?.root !== lease.root)", "if (!stream)"],
        ["a gap may be appended", "if (seq !== head + index + 1)", "if (seq <= head)"],
      ]),
    ],
  },
];
