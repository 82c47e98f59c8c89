// Real tools at real work, in workspace-write with the network denied: a boundary that honest work does not get through is no use.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bubblewrapped, hasBubblewrap, needsBubblewrap } from "../test-bubblewrap.js";
import { testFolder } from "../test-folder.js";

interface Work {
  readonly title: string;
  /** Programs without which it is skipped. */
  readonly needs: readonly string[];
  readonly files: Readonly<Record<string, string>>;
  readonly line: string;
  /** In the text of either stream. */
  readonly prints: string;
}

const works: readonly Work[] = [
  {
    title: "npm test",
    needs: ["npm"],
    files: {
      "package.json": `{"name": "work", "version": "1.0.0", "scripts": {"test": "node --test"}}`,
      "sum.test.js": `require("node:test")("adds", () => require("node:assert").equal(1 + 1, 2))`,
    },
    line: "npm test",
    prints: "# pass 1",
  },
  {
    title: "git status, add and commit",
    needs: ["git"],
    files: { "read me": "text\n" },
    line: `git status --short && git add -A && git -c user.name=a -c user.email=a@b commit -qm one && git log --format=%s`,
    prints: '?? "read me"\none\n',
  },
  {
    title: "python3 -m unittest",
    needs: ["python3"],
    files: {
      "test_sum.py": "import unittest\nclass T(unittest.TestCase):\n  def test(self): self.assertEqual(2, 1 + 1)\n",
    },
    line: "python3 -m unittest",
    prints: "Ran 1 test",
  },
  {
    title: "gcc, and what it makes",
    needs: ["gcc"],
    files: { "main.c": '#include <stdio.h>\nint main(void) { puts("compiled"); return 0; }\n' },
    line: "gcc -o main main.c && ./main",
    prints: "compiled\n",
  },
  {
    title: "threads, pipes and processes of Node",
    needs: [],
    files: {
      "main.js": `new (require("worker_threads").Worker)("process.stdout.write('thread\\\\n')", { eval: true }).on("exit", () =>
        require("child_process").fork("child.js").on("message", (said) => console.log(said)));`,
      "child.js": `process.send(require("child_process").execSync("echo piped | cat").toString().trim());`,
    },
    line: "node main.js",
    prints: "thread\npiped\n",
  },
];

function isHere(program: string): boolean {
  try {
    execFileSync("sh", ["-c", 'command -v "$1"', "sh", program], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

describe.skipIf(!hasBubblewrap)(`behind bubblewrap${needsBubblewrap}`, () => {
  for (const { title, needs, files, line, prints } of works) {
    const absent = needs.filter((program) => !isHere(program));
    const reason = absent.length === 0 ? "" : ` [needs ${absent.join(" and ")}]`;

    it.skipIf(absent.length > 0)(`${title} does its work${reason}`, { timeout: 90_000 }, async () => {
      using folder = testFolder();
      if (title.startsWith("git")) execFileSync("git", ["init", "-q", folder.path]);
      for (const [name, text] of Object.entries(files)) writeFileSync(join(folder.path, name), text);
      await using sandbox = await bubblewrapped(folder.path);
      const { exitCode, stdout, stderr } = await sandbox.run({ argv: ["sh", "-c", line], cwd: folder.path });

      expect({ exitCode, text: stdout.text + stderr.text }).toEqual({
        exitCode: 0,
        text: expect.stringContaining(prints),
      });
    });
  }

  it("caches of toolchains are granted, told as roots, and written", async () => {
    using folder = testFolder();
    const [cache, work] = ["cache", "work"].map((name) => join(folder.path, name)) as [string, string];
    for (const path of [cache, work]) mkdirSync(path);
    await using sandbox = await bubblewrapped(work, { places: { caches: [cache] } });
    await sandbox.run({ argv: ["sh", "-c", `echo x > ${cache}/kept; echo x > ${folder.path}/lost`], cwd: work });

    expect(sandbox.boundary?.roots).toEqual([cache]);
    expect(readFileSync(join(cache, "kept"), "utf8")).toBe("x\n");
    expect(existsSync(join(folder.path, "lost"))).toBe(false);
  });
});
