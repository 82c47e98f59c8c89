// What only a process of its own shows: that the built worker is found, and that no worker keeps a process alive.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { testFolder } from "../test-context.js";

const built = new URL("../../dist/index.js", import.meta.url);
const isBuilt = existsSync(fileURLToPath(built));

describe.skipIf(!isBuilt)("a process that searches [needs dist/: run `npx tsup` in this package]", () => {
  it.each(["module", "commonjs"])(
    "ends when it has nothing else to do, also as a program of text (%s)",
    async (type) => {
      await using folder = await testFolder({ a: "needle", b: "needle" });
      const program = `
      import(${JSON.stringify(built.href)}).then(async ({ grepTool, findTool }) => {
        const { signal } = new AbortController();
        const granted = [{ act: { type: "read", target: "." }, verdict: { effect: "allow" } }];
        const context = { workspace: ${JSON.stringify(folder.root)}, signal, granted, visible: () => true };
        const calls = [grepTool().invoke({ pattern: "needle" }, context), findTool().invoke({}, context)];
        for (const { text } of await Promise.all(calls)) console.log(text);
      });`;
      const args = [`--input-type=${type}`, "--eval", program];
      const output = execFileSync(process.execPath, args, { encoding: "utf8", timeout: 25_000 });
      expect(output).toBe("a:1: needle\nb:1: needle\na\nb\n");
    },
  );
});
