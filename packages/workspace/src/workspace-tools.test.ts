import { isStandardSchema, type Toolchain } from "@harness/spec";
import { describe, expect, it } from "vitest";
import { workspaceTools } from "./workspace-tools.js";

const toolchain: Toolchain = {
  install: ["go", "mod", "download"],
  build: ["make"],
  test: ["go", "test", "./..."],
  lint: null,
  format: ["gofmt", "-w", "."],
  run: ["go", "run", "."],
  check: ["go", "build", "./..."],
};
const tools = workspaceTools()({ replayable: ["npm test"], toolchain });

describe("workspaceTools", () => {
  it("offers nine tools: four that look and five that act", () => {
    expect(tools.map(({ name, effect }) => `${name} ${effect}`)).toEqual([
      "read_file read",
      "list_dir read",
      "find read",
      "grep read",
      "write_file write",
      "edit_file write",
      "patch_file write",
      "exec write",
      "check write",
    ]);
  });

  it.each([[undefined], [{}], [{ check: null }]])("offers no check without a checker: %j", (given) => {
    const offered = workspaceTools()({ replayable: [], ...(given && { toolchain: given }) });
    expect(offered.map(({ name }) => name).slice(-2)).toEqual(["patch_file", "exec"]);
  });

  it.each(tools)("$name shows the model a schema that allows nothing else", ({ input, description }) => {
    const schema = isStandardSchema(input) && input["~standard"].jsonSchema?.input({ target: "draft-2020-12" });
    expect(schema).toMatchObject({ type: "object", additionalProperties: false });
    expect(description.length).toBeGreaterThan(80);
  });

  it("repeats after a crash what the contract says, and only that", () => {
    const again = [["npm", "test", "--", "-u"], ["make"], toolchain.test, toolchain.format, toolchain.check];
    const not = [["npm", "install"], ["make", "deploy"], toolchain.install, toolchain.run];
    expect(again.map(recoveryOf)).toEqual(again.map(() => "replayable"));
    expect(not.map(recoveryOf)).toEqual(not.map(() => "indeterminate"));
    expect(tools.find(({ name }) => name === "check")?.recovery).toBe("replayable");
    expect(tools.filter(({ effect }) => effect === "read").map(({ recovery }) => recovery)).toEqual(
      Array(4).fill("replayable"),
    );
  });
});

function recoveryOf(argv: unknown): unknown {
  const recovery = tools.find(({ name }) => name === "exec")?.recovery;
  return typeof recovery === "function" && recovery({ argv });
}
