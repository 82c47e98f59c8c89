// What is published works for someone who has nothing else: packed by `npm test`'s build, checked, and installed from tarballs.
// Needs dist/ and types/ of every package, and a registry (or npm's cache) for what is not ours.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { install, installedIn, lendAddon, lendNodeTypes, pack, runIn, temporaryFolder } from "./packed-project.js";
import { published, read, root } from "./repository.js";

const minutes = 60_000;
const folders: string[] = [];
const tarballs = new Map<string, string>();

function project(...wanted: readonly string[]): string {
  const folder = install(wanted, tarballs);
  folders.push(folder);
  return folder;
}

function bin(name: string): string {
  return join(root, "node_modules", ".bin", name);
}

beforeAll(() => {
  const folder = temporaryFolder();
  folders.push(folder);
  for (const item of published) tarballs.set(item.manifest.name, pack(item, folder));
}, 5 * minutes);

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

describe.each(published.map(({ manifest }) => manifest.name))("packed %s", (name) => {
  const tarball = () => tarballs.get(name) ?? "";

  it("holds what it needs and nothing of its tests", () => {
    const { output } = runIn(root, "tar", ["-tzf", tarball()]);
    const files = output.trim().split("\n");

    const wanted = ["package/package.json", "package/README.md", "package/LICENSE"];

    expect(wanted.filter((file) => !files.includes(file))).toEqual([]);
    expect(files.filter((file) => /\.test(-support)?\.|\/test-[\w-]+\.d|tsbuildinfo|__fixtures__/.test(file))).toEqual(
      [],
    );
    expect(files.some((file) => file.startsWith("package/dist/"))).toBe(true);
  });

  it("passes publint, strictly", async () => {
    const { buffer, byteOffset, byteLength } = readFileSync(tarball());
    const bytes = buffer.slice(byteOffset, byteOffset + byteLength);
    const { messages, pkg } = await publint({ strict: true, pack: { tarball: bytes } });

    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  });

  it(
    "has types that every resolver finds",
    () => {
      const { status, output } = runIn(root, bin("attw"), [
        tarball(),
        "--profile",
        "esm-only",
        "--no-color",
        "--no-emoji",
      ]);

      expect(status, output).toBe(0);
    },
    2 * minutes,
  );
});

describe("@harness/core, installed alone", () => {
  it(
    "imports, in a tree of at most five packages without a native module",
    () => {
      const folder = project("@harness/core");
      const native = readdirSync(folder, { recursive: true }).filter((file) => String(file).endsWith(".node"));

      const { status, output } = runIn(folder, process.execPath, ["-e", "import('@harness/core')"]);

      expect(status, output).toBe(0);
      expect(native).toEqual([]);
      expect(installedIn(folder).length).toBeLessThanOrEqual(5);
    },
    3 * minutes,
  );
});

describe("io-harness, installed", () => {
  it(
    "brings at most 55 packages",
    () => {
      expect(installedIn(project("io-harness")).length).toBeLessThanOrEqual(55);
    },
    3 * minutes,
  );

  it(
    "runs the readme's first example, type-checked down to its declarations",
    () => {
      const folder = project("io-harness", "@harness/testing");
      lendAddon(folder);
      lendNodeTypes(folder);
      writeFileSync(join(folder, "example.ts"), firstExample());
      const options = {
        strict: true,
        skipLibCheck: false,
        module: "NodeNext",
        target: "ES2023",
        lib: ["ES2023"],
        types: ["node"],
      };
      writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: options, files: ["example.ts"] }));

      const compiled = runIn(folder, bin("tsc"), ["-p", "."]);
      const ran = runIn(folder, process.execPath, ["example.js"]);

      expect(compiled.output).toBe("");
      expect(ran.status, ran.output).toBe(0);
    },
    3 * minutes,
  );
});

describe("@harness/cli, installed", () => {
  it(
    "answers on the command line",
    () => {
      const folder = project("@harness/cli");
      lendAddon(folder);

      const { status, output } = runIn(folder, join(folder, "node_modules", ".bin", "harness"), ["--help"]);

      expect(status, output).toBe(0);
      expect(output).toContain("resume");
    },
    3 * minutes,
  );
});

function firstExample(): string {
  const code = /```ts\n([\s\S]*?)```/.exec(read("README.md"))?.[1];
  if (code === undefined) throw new Error("README.md shows no example.");
  return code;
}
