import { describe, expect, it } from "vitest";
import { Policy } from "./index.js";

const open = Policy.permissive();
const policy = new Policy().allowExec("npm*").denyExec("npm publish*");

describe("explain, of a command", () => {
  it.each([
    [["npm"], "allow"],
    [["npm", "test"], "allow"],
    [["npm", "publish", "x"], "deny"],
    [["/usr/bin/npm", "publish", "x"], "deny"],
    [["./node_modules/.bin/npm", "publish"], "deny"],
    [["rm", "npm"], "deny"],
  ])("lets npm run and not publish: %j", (argv, effect) => {
    expect(policy.explain("exec", argv).effect).toBe(effect);
  });

  it("names the rule that decided", () => {
    expect(policy.explain("exec", ["npm", "test"])).toEqual({ effect: "allow", rule: "npm*", layer: "policy" });
    const denied = { effect: "deny", rule: "npm publish*", layer: "policy" };
    expect(policy.explain("exec", ["npm", "publish", "x"])).toEqual(denied);
    expect(policy.explain("exec", ["/usr/bin/npm", "publish", "x"])).toEqual(denied);
  });

  it("asks for the program when only the whole command is allowed", () => {
    const asking = new Policy().withDefault("exec", "ask").allowExec("cargo test*");
    expect(asking.explain("exec", ["cargo", "test"])).toEqual({ effect: "ask" });
    expect(asking.allowExec("cargo").explain("exec", ["cargo", "test"]).effect).toBe("allow");
  });

  it("asks for the whole command when only the program is allowed", () => {
    const asking = new Policy().withDefault("exec", "ask").allowExec("cargo");
    expect(asking.explain("exec", ["cargo"]).effect).toBe("allow");
    expect(asking.explain("exec", ["cargo", "run"]).effect).toBe("ask");
  });

  it.each([
    ["rm", ["/usr/bin/rm"], "deny"],
    ["rm", ["/usr/bin/rm", "-rf", "a/b"], "deny"],
    ["git push*", ["git", "push", "origin", "x"], "deny"],
    ["git push*", ["/usr/bin/git", "push", "origin", "a/b"], "deny"],
    ["/usr/bin/git push*", ["/usr/bin/git", "push"], "deny"],
    ["git push*", ["sh", "-c", "git push"], "allow"],
    ["b", ["/usr/bin/git", "push", "origin", "a/b"], "allow"],
    ["b", ["git", "push", "origin", "a/b"], "allow"],
    ["b x", ["git", "a/b", "x"], "allow"],
    ["echo a\nb", ["echo", "a\nb"], "deny"],
  ])("says that a deny of %j on %j gives %s", (pattern, argv, effect) => {
    expect(open.denyExec(pattern).explain("exec", argv).effect).toBe(effect);
  });

  it("lets a rule for a bare name refuse a program in a folder, and not allow its arguments", () => {
    const named = new Policy().allowExec("npm *", "npm");
    expect(named.explain("exec", ["npm", "test"]).effect).toBe("allow");
    expect(named.explain("exec", ["src/npm", "test"]).effect).toBe("deny");
    expect(new Policy().allowExec("/opt/npm*").explain("exec", ["/opt/npm", "test"]).effect).toBe("allow");
  });

  it("judges the program that starts, whatever the act calls it", () => {
    const act = { type: "exec", target: "npm", argv: ["rm", "-rf"] } as const;
    expect(open.denyExec("rm").explain(act)).toEqual({ effect: "deny", rule: "rm", layer: "policy" });
    expect(open.denyExec("npm").explain(act)).toEqual({ effect: "deny", rule: "npm", layer: "policy" });
  });

  it("matches a tool's name whole, then by what follows its last slash", () => {
    expect(open.denyExec("deploy").explain({ type: "exec", target: "deploy" }).effect).toBe("deny");
    expect(open.denyExec("deploy").explain({ type: "exec", target: "tools/deploy" }).effect).toBe("deny");
    expect(open.denyExec("deploy").explain({ type: "exec", target: "deploy2" }).effect).toBe("allow");
    expect(open.denyExec("").explain({ type: "exec", target: "" }).effect).toBe("deny");
    expect(open.denyExec("").explain({ type: "exec", target: "dir/" }).effect).toBe("deny");
    expect(open.denyExec("*").explain({ type: "exec", target: "" }).effect).toBe("deny");
  });

  it("leaves spelling alone: no dots, slashes, case or composition are folded in commands", () => {
    for (const target of ["./x", "X", "a//x2", "cafe\u0301", "d\\x"]) {
      expect(open.denyExec("x2x", "./X", "a/x2", "caf\u00e9", "d/x").explain("exec", [target, "y"]).effect).toBe(
        "allow",
      );
    }
  });

  it("reads a command line at its spaces, so that it is explained as it would be enforced", () => {
    const asking = new Policy().withDefault("exec", "ask").allowExec("cargo test*");
    expect(asking.explain("exec", "cargo test")).toEqual(asking.explain("exec", ["cargo", "test"]));
    expect(policy.explain("exec", "npm publish x").effect).toBe("deny");
  });
});
