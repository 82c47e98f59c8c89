import { isStandardSchema } from "@harness/spec";
import { describe, expect, it } from "vitest";
import { workspaceTools } from "./workspace-tools.js";

const tools = workspaceTools()({ replayable: ["npm test"] });

describe("workspaceTools", () => {
  it("offers seven tools: four that look and three that act", () => {
    expect(tools.map(({ name, effect }) => `${name} ${effect}`)).toEqual([
      "read_file read",
      "list_dir read",
      "find read",
      "grep read",
      "write_file write",
      "edit_file write",
      "exec write",
    ]);
  });

  it.each(tools)("$name shows the model a schema that allows nothing else", ({ input, description }) => {
    const schema = isStandardSchema(input) && input["~standard"].jsonSchema?.input({ target: "draft-2020-12" });
    expect(schema).toMatchObject({ type: "object", additionalProperties: false });
    expect(description.length).toBeGreaterThan(80);
  });

  it("repeats after a crash what the contract says, and only that", () => {
    const recovery = tools.find(({ name }) => name === "exec")?.recovery;
    const decide = (argv: readonly string[]) => typeof recovery === "function" && recovery({ argv });
    expect([decide(["npm", "test"]), decide(["npm", "install"])]).toEqual(["replayable", "indeterminate"]);
    expect(tools.filter(({ effect }) => effect === "read").map(({ recovery }) => recovery)).toEqual(
      Array(4).fill("replayable"),
    );
  });
});
