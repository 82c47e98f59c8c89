import { chmod, mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import type { Toolchain, ToolchainCommand } from "@harness/spec";
import { describe, expect, it } from "vitest";
import { testFolder } from "../test-context.js";
import { detectToolchain } from "./detect-toolchain.js";

async function detected(...files: readonly string[]): Promise<Toolchain | undefined> {
  await using folder = await testFolder(Object.fromEntries(files.map((file) => [file, ""])));
  return detectToolchain(folder.root);
}

const commands = ["install", "build", "test", "lint", "format", "run", "check"] as const satisfies ToolchainCommand[];

/** As a row: the ecosystem, then every command, `–` for none. */
function row(toolchain: Toolchain | undefined): string {
  return [toolchain?.ecosystem, ...commands.map((name) => toolchain?.[name]?.join(" ") ?? "–")].join(" | ");
}

const node = (manager: string) =>
  `node (${manager}) | ${manager} install | ${manager} run build | ${manager} test | ${manager} run lint | ` +
  `${manager} run format | ${manager} start | –`;

describe("detectToolchain", () => {
  it.each([
    [
      ["Cargo.toml"],
      "cargo | cargo fetch | cargo build | cargo test | cargo clippy --all-targets | cargo fmt | cargo run | cargo check --message-format=json",
    ],
    [["deno.json"], "deno | – | deno check . | deno test | deno lint | deno fmt | deno task start | deno check ."],
    [["deno.jsonc"], "deno | – | deno check . | deno test | deno lint | deno fmt | deno task start | deno check ."],
    [["package.json", "bun.lockb"], node("bun")],
    [["package.json", "bun.lock"], node("bun")],
    [["package.json", "pnpm-lock.yaml"], node("pnpm")],
    [["package.json", "yarn.lock"], node("yarn")],
    [["package.json", "package-lock.json"], node("npm")],
    [["package.json"], node("npm")],
    [["go.mod"], "go | – | go build ./... | go test ./... | go vet ./... | gofmt -w . | go run . | go build ./..."],
    [
      ["pyproject.toml", "uv.lock"],
      "python (uv) | uv sync | – | uv run pytest | uv run ruff check | uv run ruff format | uv run python -m main | pyright",
    ],
    [
      ["pyproject.toml", "poetry.lock"],
      "python (poetry) | poetry install | – | poetry run pytest | poetry run ruff check | poetry run ruff format | poetry run python -m main | pyright",
    ],
    ...["pyproject.toml", "requirements.txt"].map(
      (marker) =>
        [
          [marker],
          "python (pip) | python -m pip install -e . | – | python -m pytest | python -m ruff check | python -m ruff format | python -m main | pyright",
        ] as const,
    ),
    [
      ["pom.xml"],
      "maven (mvn) | mvn -B dependency:go-offline | mvn -B compile | mvn -B test | – | mvn -B formatter:format | mvn -B exec:java | –",
    ],
    [["build.gradle"], "gradle | – | gradle build | gradle test | gradle check | – | gradle run | –"],
    [["build.gradle.kts"], "gradle | – | gradle build | gradle test | gradle check | – | gradle run | –"],
    [["mix.exs"], "elixir (mix) | mix deps.get | mix compile | mix test | mix credo | mix format | mix run | –"],
    [
      ["Gemfile"],
      "ruby (bundler) | bundle install | – | bundle exec rake test | bundle exec rubocop | bundle exec rubocop -a | bundle exec ruby main.rb | –",
    ],
    [
      ["composer.json"],
      "php (composer) | composer install | – | composer test | composer lint | – | php -S 127.0.0.1:8000 | –",
    ],
    [
      ["Package.swift"],
      "swift | swift package resolve | swift build | swift test | – | swift-format -i -r Sources | swift run | –",
    ],
    [["CMakeLists.txt"], "cmake | – | cmake --build build | ctest --test-dir build | – | – | – | –"],
    [["Makefile"], "make | – | make | make test | make lint | make format | make run | –"],
    ...["App.csproj", "App.fsproj", "App.sln"].map(
      (marker) =>
        [
          [marker],
          "dotnet | dotnet restore | dotnet build | dotnet test | dotnet format --verify-no-changes | dotnet format | dotnet run | –",
        ] as const,
    ),
  ] as const)("recognises %j", async (files, expected) => {
    expect(row(await detected(...files))).toBe(expected);
  });

  it.each([
    [["Makefile", "package.json", "Cargo.toml"], "cargo"],
    [["package.json", "deno.jsonc"], "deno"],
    [["go.mod", "package.json", "yarn.lock"], "node (yarn)"],
    [["Makefile", "CMakeLists.txt"], "cmake"],
    [["App.sln", "Makefile"], "make"],
    [["package.json", "package-lock.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock"], "node (bun)"],
    [["package.json", "yarn.lock", "pnpm-lock.yaml"], "node (pnpm)"],
    [["requirements.txt", "poetry.lock", "uv.lock"], "python (uv)"],
    [["package.json", "uv.lock", "poetry.lock"], "node (npm)"],
  ])("takes the first of %j in the order of the table", async (files, expected) => {
    expect((await detected(...files))?.ecosystem).toBe(expected);
  });

  it.each([[[]], [["README.md"]], [["app/package.json"]], [["yarn.lock"]], [["cargo.toml.bak", "sln"]]])(
    "recognises nothing in %j",
    async (files) => {
      expect(await detected(...files)).toBeUndefined();
    },
  );

  it("checks types beside a tsconfig.json only, with the compiler of the repository when it is there", async () => {
    expect((await detected("package.json", "tsconfig.json"))?.check).toEqual(["tsc", "--noEmit"]);
    const local = await detected("package.json", "tsconfig.json", "node_modules/.bin/tsc");
    expect(local?.check).toEqual(["node_modules/.bin/tsc", "--noEmit"]);
    expect(await detected("package.json", "node_modules/.bin/tsc")).not.toHaveProperty("check");
  });

  it("takes a marker at the end of links, and nothing that is no file", async () => {
    await using folder = await testFolder({ real: "" });
    await symlink("real", join(folder.root, "go.mod"));
    await mkdir(join(folder.root, "Cargo.toml"));
    await symlink("nowhere", join(folder.root, "package.json"));
    await symlink("deno.json", join(folder.root, "deno.json"));
    expect(detectToolchain(folder.root)?.ecosystem).toBe("go");
  });

  it("recognises nothing where there is no folder to read", async () => {
    await using folder = await testFolder({ "locked/go.mod": "", file: "" });
    expect(["none", "file", "file/none"].map((path) => detectToolchain(join(folder.root, path)))).toEqual(
      Array(3).fill(undefined),
    );
    // Root may read anything; to everyone else a folder without its bits is shut.
    await chmod(join(folder.root, "locked"), 0o000);
    const shut = detectToolchain(join(folder.root, "locked"));
    await chmod(join(folder.root, "locked"), 0o700);
    expect(shut?.ecosystem).toBe(process.getuid?.() === 0 ? "go" : undefined);
  });
});
