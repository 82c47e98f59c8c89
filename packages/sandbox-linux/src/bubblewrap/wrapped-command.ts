// One command behind bubblewrap: the words in their order, and the descriptors that they name. What is opened here is the command's,
// and closed again when the rest cannot be made.
import { closeSync, realpathSync } from "node:fs";
import type { Wrapped, WrapperDescriptor } from "@harness/sandbox-floor";
import { SandboxError } from "@harness/spec";
import { unnamedFile } from "../filter/unnamed-file.js";
import type { RungRequest } from "../rung.js";
import { type Arrangement, bubblewrapArguments } from "./arguments.js";
import { programFolders, resolverFile, waysTo } from "./host.js";
import { processLimit } from "./process-limit.js";
import { bubblewrapStatus } from "./status.js";
import type { Tools } from "./tools.js";

/** Where the command's traffic goes. `pid` is that of a process whose network the command joins. */
export type Network =
  | { readonly type: "host" }
  | { readonly type: "own"; readonly warning?: string }
  | { readonly type: "shared"; readonly pid: number };

/** Throws `SandboxError` `setup-failed` for more than bubblewrap can be told. */
export function wrappedCommand(request: RungRequest, tools: Tools, network: Network): Wrapped {
  const opened: number[] = [];
  try {
    return assembled(request, tools, network, (fd) => {
      opened.push(fd);
      return fd;
    });
  } catch (error) {
    for (const fd of opened) closeSync(fd);
    throw error;
  }
}

/** The first descriptor that a wrapper gets. */
const firstDescriptor = 3;

function assembled(request: RungRequest, tools: Tools, network: Network, own: (fd: number) => number): Wrapped {
  const { command } = request;
  const descriptors: WrapperDescriptor[] = [{ type: "status" }];
  const add = (fd: number) => firstDescriptor + descriptors.push({ type: "open", fd: own(fd) }) - 1;
  const filterAt = tools.filter && add(tools.filter.open());
  const options = bubblewrapArguments(arrangementOf(request, tools, network, filterAt));
  const behind = [...processLimit(request, tools), ...command.argv];
  assertTaken(request.program, options.length + behind.length);

  const front = network.type === "shared" ? joining(tools, network.pid) : [];
  const given = options.length > mostInline ? ["--args", String(add(opened(options)))] : options;
  const [first, ...rest] = [...front, tools.bwrap, ...given, "--", ...behind] as [string, ...string[]];
  const warnings = network.type === "own" && network.warning ? [network.warning] : [];
  return {
    argv: [first, ...rest],
    descriptors,
    status: bubblewrapStatus,
    variables: { TMPDIR: "/tmp", TMP: "/tmp", TEMP: "/tmp" },
    after: async () => ({ warnings }),
  };
}

function arrangementOf(
  { command, places, program, tempBytes }: RungRequest,
  { host, features }: Tools,
  network: Network,
  filterAt: number | undefined,
): Arrangement {
  const { cwd, env, workspace = cwd } = command;
  return {
    ...{ places, host, features, tempBytes, filterAt },
    workspace: realpathSync.native(workspace),
    cwd: realpathSync.native(cwd),
    network: network.type === "own" ? "own" : "as-started",
    resolver: network.type === "host" ? resolverFile(host) : undefined,
    ways: waysTo(programFolders(program, env?.PATH ?? process.env.PATH), host),
    statusAt: firstDescriptor,
  };
}

function joining({ nsenter = "" }: Tools, pid: number): readonly string[] {
  return [nsenter, "-t", String(pid), "-U", "-n", "--preserve-credentials", "--"];
}

/** So many words are handed over as they are; what is more comes by a file without a name, and does not fill `ps`. */
const mostInline = 400;
/** bubblewrap's own bound for all that it is told, with room for what is not counted here. */
const mostWords = 8_990;

function opened(words: readonly string[]): number {
  const file = unnamedFile(Buffer.from(words.map((word) => `${word}\0`).join("")));
  try {
    return file.open();
  } finally {
    file.close();
  }
}

function assertTaken(program: string, words: number): void {
  if (words <= mostWords) return;
  const reason = `bubblewrap takes ${mostWords} words and needs ${words} for it and its places`;
  const advice = "Pass its arguments by a file, or protect and hide fewer paths.";
  throw new SandboxError("setup-failed", `Could not start ${JSON.stringify(program)}: ${reason}. ${advice}`);
}
