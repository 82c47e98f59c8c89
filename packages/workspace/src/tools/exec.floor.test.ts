// exec over a real sandbox: what the double cannot show.
import { floor } from "@harness/sandbox-floor";
import { describe, expect, it } from "vitest";
import { call, testFolder } from "../test-context.js";
import { execTool } from "./exec.js";

describe("exec in the portable sandbox", () => {
  it("delivers every argument as it is and starts in the workspace root", async () => {
    await using folder = await testFolder();
    const script = "console.log(JSON.stringify([process.cwd(), ...process.argv.slice(1)]))";
    const odd = ["a;b && $(id)", "", "*", "two words", "'\"\\"];
    const argv = [process.execPath, "-e", script, "--", ...odd];
    const { text } = await call(execTool(), { argv }, { workspace: folder.root, sandbox: floor() });
    expect(text).toBe(`Exit code 0.\nstdout:\n${JSON.stringify([folder.root, ...odd])}`);
  });

  it("says that there is no such program", async () => {
    await using folder = await testFolder();
    const calling = { workspace: folder.root, sandbox: floor() };
    expect(await call(execTool(), { argv: ["no-such-program-here"] }, calling)).toMatchObject({ isError: true });
  });
});
