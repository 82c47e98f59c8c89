// The toolchains that are known, as data. The first row wins whose marker is in the root, and whose lockfile is there too
// if it wants one: order decides between ecosystems, and between the managers of one.
import type { ToolchainCommand } from "@harness/spec";

export interface Ecosystem {
  readonly name: string;
  /** Names of files in the root, any of which will do. `*.sln` is every name that ends so. */
  readonly markers: readonly string[];
  /** Any of these must be there as well. */
  readonly lockfiles?: readonly string[];
  /** Words with a space between them. What is not here, the ecosystem has no command for. */
  readonly commands: Readonly<Partial<Record<ToolchainCommand, string>>>;
  /** `check` is offered only beside this file. */
  readonly checkNeeds?: string;
  /** A program of `check` that is in this folder is run from there. */
  readonly checkFrom?: string;
}

/** The rows, in the order in which they are tried. */
export const ecosystems: readonly Ecosystem[] = [
  {
    name: "cargo",
    markers: ["Cargo.toml"],
    commands: {
      install: "cargo fetch",
      build: "cargo build",
      test: "cargo test",
      lint: "cargo clippy --all-targets",
      format: "cargo fmt",
      run: "cargo run",
      check: "cargo check --message-format=json",
    },
  },
  {
    name: "deno",
    markers: ["deno.json", "deno.jsonc"],
    commands: {
      build: "deno check .",
      test: "deno test",
      lint: "deno lint",
      format: "deno fmt",
      run: "deno task start",
      check: "deno check .",
    },
  },
  node("bun", ["bun.lockb", "bun.lock"]),
  node("pnpm", ["pnpm-lock.yaml"]),
  node("yarn", ["yarn.lock"]),
  node("npm"),
  {
    name: "go",
    markers: ["go.mod"],
    commands: {
      build: "go build ./...",
      test: "go test ./...",
      lint: "go vet ./...",
      format: "gofmt -w .",
      run: "go run .",
      check: "go build ./...",
    },
  },
  python("uv", { lockfiles: ["uv.lock"], install: "uv sync", tool: "uv run", module: "uv run python -m" }),
  python("poetry", {
    lockfiles: ["poetry.lock"],
    install: "poetry install",
    tool: "poetry run",
    module: "poetry run python -m",
  }),
  python("pip", { install: "python -m pip install -e .", tool: "python -m", module: "python -m" }),
  {
    name: "maven (mvn)",
    markers: ["pom.xml"],
    commands: {
      install: "mvn -B dependency:go-offline",
      build: "mvn -B compile",
      test: "mvn -B test",
      format: "mvn -B formatter:format",
      run: "mvn -B exec:java",
    },
  },
  {
    name: "gradle",
    markers: ["build.gradle", "build.gradle.kts"],
    commands: { build: "gradle build", test: "gradle test", lint: "gradle check", run: "gradle run" },
  },
  {
    name: "elixir (mix)",
    markers: ["mix.exs"],
    commands: {
      install: "mix deps.get",
      build: "mix compile",
      test: "mix test",
      lint: "mix credo",
      format: "mix format",
      run: "mix run",
    },
  },
  {
    name: "ruby (bundler)",
    markers: ["Gemfile"],
    commands: {
      install: "bundle install",
      test: "bundle exec rake test",
      lint: "bundle exec rubocop",
      format: "bundle exec rubocop -a",
      run: "bundle exec ruby main.rb",
    },
  },
  {
    name: "php (composer)",
    markers: ["composer.json"],
    commands: {
      install: "composer install",
      test: "composer test",
      lint: "composer lint",
      run: "php -S 127.0.0.1:8000",
    },
  },
  {
    name: "swift",
    markers: ["Package.swift"],
    commands: {
      install: "swift package resolve",
      build: "swift build",
      test: "swift test",
      format: "swift-format -i -r Sources",
      run: "swift run",
    },
  },
  {
    name: "cmake",
    markers: ["CMakeLists.txt"],
    commands: { build: "cmake --build build", test: "ctest --test-dir build" },
  },
  {
    name: "make",
    markers: ["Makefile"],
    commands: { build: "make", test: "make test", lint: "make lint", format: "make format", run: "make run" },
  },
  {
    name: "dotnet",
    markers: ["*.csproj", "*.fsproj", "*.sln"],
    commands: {
      install: "dotnet restore",
      build: "dotnet build",
      test: "dotnet test",
      lint: "dotnet format --verify-no-changes",
      format: "dotnet format",
      run: "dotnet run",
    },
  },
];

// `npm install`, not `npm ci`, which fails without a lockfile. Never npx for the checker: it may install one.
function node(manager: string, lockfiles?: readonly string[]): Ecosystem {
  return {
    name: `node (${manager})`,
    markers: ["package.json"],
    ...(lockfiles && { lockfiles }),
    commands: {
      install: `${manager} install`,
      build: `${manager} run build`,
      test: `${manager} test`,
      lint: `${manager} run lint`,
      format: `${manager} run format`,
      run: `${manager} start`,
      check: "tsc --noEmit",
    },
    checkNeeds: "tsconfig.json",
    checkFrom: "node_modules/.bin",
  };
}

interface PythonManager {
  readonly lockfiles?: readonly string[];
  readonly install: string;
  /** What stands before the name of a tool. */
  readonly tool: string;
  /** What stands before the name of a module. */
  readonly module: string;
}

function python(manager: string, { lockfiles, install, tool, module }: PythonManager): Ecosystem {
  return {
    name: `python (${manager})`,
    markers: ["pyproject.toml", "requirements.txt"],
    ...(lockfiles && { lockfiles }),
    commands: {
      install,
      test: `${tool} pytest`,
      lint: `${tool} ruff check`,
      format: `${tool} ruff format`,
      run: `${module} main`,
      check: "pyright",
    },
  };
}
