import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Desk, desk } from "./desk.test-support.js";

type Words = (at: Desk) => readonly string[];

const mistakes: readonly (readonly [string, RegExp, Words])[] = [
  ["no command", /Usage: harness/, () => []],
  ["an unknown command", /unknown command 'rum'/, () => ["rum"]],
  ["an unknown option", /unknown option '--fast'/, () => ["runs", "--fast"]],
  ["a missing argument", /missing required argument 'contract.json'/, () => ["run"]],
  ["too many arguments", /too many arguments/, () => ["trace", "a", "b"]],
  ["no provider", /No provider was named\. Pass --provider/, (at) => ["run", at.contract()]],
  [
    "a contract that is not there",
    /Could not read the contract .*x\.json: there is no such file/,
    () => ["run", "x.json"],
  ],
  ["a contract that is not JSON", /is not JSON/, (at) => ["run", at.file("c.json", "{,}")]],
  ["a contract that is a list", /is not a JSON object/, (at) => ["run", at.file("c.json", [])]],
  [
    "a contract with a misspelt limit",
    /contract\.limits/,
    (at) => ["run", at.contract({ limits: { maxStep: 3 } }), "--provider", at.provider([])],
  ],
  [
    "a workspace that is not there",
    /The workspace .*nowhere is not a folder/,
    (at) => ["run", at.contract({ workspace: "nowhere" }), "--provider", at.provider([])],
  ],
  [
    "a policy with a misspelt effect",
    /defaults\.read/,
    (at) => ["run", at.contract(), "--policy", at.file("p.json", { layers: [], defaults: { read: "alow" } })],
  ],
  [
    "a provider file that is not there",
    /There is no provider module at/,
    (at) => ["run", at.contract(), "--provider", "./x.mjs"],
  ],
  [
    "a provider package that is not there",
    /Could not load the provider module no-such-package/,
    (at) => ["run", at.contract(), "--provider", "no-such-package"],
  ],
  [
    "a module without a provider",
    /exports no `provider`/,
    (at) => ["run", at.contract(), "--provider", at.file("empty.mjs", "export const model = 1;")],
  ],
  [
    "a provider that is none",
    /has no method `complete`/,
    (at) => ["run", at.contract(), "--provider", at.file("odd.mjs", "export const provider = {};")],
  ],
  [
    "a module that throws",
    /Could not load the provider module .*: no key\. Check/,
    (at) => ["run", at.contract(), "--provider", at.file("throws.mjs", "throw new Error('no key.');")],
  ],
  ["a limit that is no number", /It must be a whole number above 0/, () => ["resume", "x", "--max-steps", "many"]],
  ["two answers at once", /cannot be used with option/, () => ["resume", "x", "--approve", "--deny", "no"]],
  ["two recoveries at once", /cannot be used with option/, () => ["resume", "x", "--recover", "retry", "--approve"]],
  ["a head that is no hash", /64 hexadecimal digits/, () => ["verify", "x", "--head", "abc"]],
  ["an unknown act", /Allowed choices are read, write, exec, net/, () => ["policy", "explain", "eat", "cake"]],
  ["a step that is none", /It must be a whole number above 0/, () => ["trace", "x", "--step", "0"]],
  ["one step to follow", /cannot be used with option/, () => ["trace", "x", "--step", "1", "--follow"]],
  ["no store to check", /There is no store at/, () => ["store", "check", "--mend"]],
  ["a store command that is none", /unknown command 'burn'/, () => ["store", "burn"]],
  ["no store to look into", /There is no store at/, () => ["trace", "x"]],
];

describe("a command line that cannot be followed", () => {
  it.each(mistakes)("exits with 2, saying what is wrong: %s", async (_what, message, words) => {
    using at = desk();
    const { code, complained } = await at.harness(words(at));

    expect(code).toBe(2);
    expect(complained).toMatch(message);
    expect(complained).not.toMatch(/^ +at /m);
  });

  it("shows where an error comes from when it is asked to", async () => {
    using at = desk();
    const { code, complained } = await at.harness(["run", "x.json"], { env: { HARNESS_DEBUG: "1" } });

    expect(code).toBe(2);
    expect(complained).toMatch(/^ +at /m);
  });

  it("starts nothing and writes no store", async () => {
    using at = desk();
    await at.harness(["trace", "x", "--store", "typo.db"]);
    await at.harness(["runs"]);
    await at.harness(["runs", "--resumable"]);
    await at.harness(["store", "check"]);

    expect(existsSync(at.storePath)).toBe(false);
    expect(existsSync(`${at.folder}/typo.db`)).toBe(false);
  });
});

describe("help and version", () => {
  it.each([[["--help"]], [["help"]], [["resume", "--help"]], [["--version"]]])("of %j exit with 0", async (args) => {
    using at = desk();
    const { code, printed, complained } = await at.harness(args);

    expect({ code, complained }).toEqual({ code: 0, complained: "" });
    expect(printed).toMatch(/Usage: harness|^\d+\.\d+\.\d+/);
  });
});
