// check over a real sandbox, as a repository gets it: recognised by its files, with the checker that lies in it.
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { floor } from "@harness/sandbox-floor";
import { describe, expect, it } from "vitest";
import { call, testFolder } from "../test-context.js";
import { detectToolchain } from "../toolchain/detect-toolchain.js";
import { workspaceTools } from "../workspace-tools.js";

async function checked(checker: string): Promise<string> {
  const bin = "node_modules/.bin/tsc";
  await using folder = await testFolder({ "package.json": "{}", "tsconfig.json": "{}", [bin]: checker });
  await chmod(join(folder.root, bin), 0o755);
  const toolchain = detectToolchain(folder.root);
  const tool = workspaceTools()({ replayable: [], ...(toolchain && { toolchain }) }).find(
    ({ name }) => name === "check",
  );
  if (!tool) throw new Error("There is no check.");
  return (await call(tool, {}, { workspace: folder.root, sandbox: floor() })).text;
}

const script = (body: string) => `#!${process.execPath}\n${body}\n`;

// Scripts are started by their first line here.
describe.skipIf(process.platform === "win32")(
  "check in the portable sandbox (not on Windows: it starts no scripts)",
  () => {
    it("shows what the checker of the repository finds", async () => {
      const body =
        'console.log(process.argv.slice(2).join(), require("node:fs").existsSync("tsconfig.json")); process.exit(2);';
      expect(await checked(script(body))).toBe(
        "Findings of node_modules/.bin/tsc --noEmit (exit code 2):\n--noEmit true",
      );
    });

    it("tells clean from failed", async () => {
      expect(await checked(script(""))).toBe("Clean: node_modules/.bin/tsc --noEmit found nothing.");
      expect(await checked(script("process.exit(1);"))).toMatch(/^Failed: .* exit code 1 and said nothing\.$/);
    });
  },
);
