import { describe, expect, it } from "vitest";
import { type ContractInput, parseContract } from "../contract/contract-input.js";
import { briefing } from "./briefing.js";

const briefingOf = (rest: Partial<ContractInput> = {}) =>
  briefing(parseContract({ goal: "Fix it.", workspace: "/repo", ...rest }));

describe("the briefing", () => {
  it("says what is wanted, under which constraints, and how it will be judged", () => {
    const verify = { type: "command", argv: ["npm", "test"] } as const;

    expect(briefingOf({ constraints: ["Touch no test.", "Be brief."], verify })).toBe(
      "Goal: Fix it.\n\nConstraints: Touch no test.; Be brief.\n\n" +
        "Finished when: `npm test` exits with code 0. It is run for you after every step.",
    );
  });

  it("tells the usual commands in the order of their use, and leaves out those there are not", () => {
    const toolchain = {
      ecosystem: "node (pnpm)",
      test: ["pnpm", "test"],
      install: ["pnpm", "install"],
      lint: null,
    } satisfies ContractInput["toolchain"];

    expect(briefingOf({ toolchain })).toContain(
      "\n\nUsual commands here (a default, node (pnpm); each needs to be allowed): install `pnpm install`, test `pnpm test`.",
    );
  });

  it.each([[undefined], [{}], [{ ecosystem: "node" }], [{ test: null }]] as const)(
    "says nothing of commands when there are none: %j",
    (toolchain) => {
      expect(briefingOf(toolchain && { toolchain })).not.toContain("Usual commands");
    },
  );
});
