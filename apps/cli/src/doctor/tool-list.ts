// Programs that commands of a run are likely to want, with the arguments that make each say its version. The harness itself
// needs none of them. In the order in which they are shown.

export interface ToolProbe {
  readonly name: string;
  readonly argv: readonly [string, ...string[]];
}

const saying = (argument: string, ...names: readonly string[]): readonly ToolProbe[] =>
  names.map((name) => ({ name, argv: [name, argument] }));

export const toolProbes: readonly ToolProbe[] = [
  ...saying("--version", "git", "node", "npm", "pnpm", "yarn", "bun", "deno", "python3", "uv", "poetry", "cargo"),
  ...saying("version", "go"),
  ...saying("--version", "mvn", "gradle", "mix", "bundle", "composer", "swift", "dotnet", "cmake", "make"),
];

/** Keeps tools that fetch what they run from doing so for a mere question. */
export const toolEnvironment: Readonly<Record<string, string>> = {
  COREPACK_ENABLE_NETWORK: "0",
  GOTOOLCHAIN: "local",
  RUSTUP_AUTO_INSTALL: "0",
  DOTNET_CLI_TELEMETRY_OPTOUT: "1",
  DOTNET_NOLOGO: "1",
};
