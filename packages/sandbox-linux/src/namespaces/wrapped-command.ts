// One command behind the set-up: who makes the namespaces, what the set-up is told, and who takes the last rights away.
import { realpathSync, statSync } from "node:fs";
import type { Wrapped } from "@harness/sandbox-floor";
import { SandboxError } from "@harness/spec";
import { programFolders, waysTo } from "../bubblewrap/host.js";
import { processLimit } from "../bubblewrap/process-limit.js";
import { assembleFilter } from "../filter/assemble-filter.js";
import { type Launcher, launched } from "../landlock/launcher-tools.js";
import { type LaunchStep, launcherVariables } from "../landlock/launcher-words.js";
import { launcherStatus } from "../landlock/status.js";
import { assertOutOfReach } from "../out-of-reach.js";
import type { RungRequest } from "../rung.js";
import { setUpSteps as perlSteps } from "./set-up-perl.js";
import { setUpScript } from "./set-up-script.js";
import { type Arrangement, benchFor, type SetUpStep, setUpSteps } from "./set-up-steps.js";
import type { Tools } from "./tools.js";

/** Nothing but the temporary folders is covered here. */
const noFolders = { settings: [], dangers: [], runFolders: [] };

/** Throws `SandboxError` `setup-failed` for places that leave no room to work in. */
export function wrappedCommand(request: RungRequest, tools: Tools): Wrapped {
  const { unshare, setpriv, mount, sh, mkdir, cp, ln, ip, launcher } = tools;
  assertOutOfReach(request, [unshare, setpriv, mount, sh, mkdir, cp, ln, ...(launcher ? [launcher.perl] : [])]);
  const arrangement = arrangementOf(request, tools);
  const steps = setUpSteps(arrangement);
  const limited = { ...request, command: { ...request.command, argv: argvOf(request, tools) } };
  return {
    argv: [
      // The wrapper dies with this process, its child with it, and the namespace with that.
      ...([setpriv, "--pdeathsig", "KILL", "--", unshare, ...namespaces(request), "--"] as const),
      ...[sh, "-c", setUpScript, "sandbox", mount, mkdir, cp, ln, ip ?? ""],
      // By Perl in one go where there is one.
      ...(launcher
        ? ["--", ...launched(limited, launcher, launchSteps(request, launcher, steps), perlSteps)]
        : [...steps.flat(), "--", ...bare(limited, tools)]),
    ],
    descriptors: [{ type: "status" }],
    status: launcherStatus,
    variables: { TMPDIR: "/tmp", TMP: "/tmp", TEMP: "/tmp", ...(launcher && launcherVariables) },
  };
}

function namespaces({ command }: RungRequest): readonly string[] {
  return [
    // The capabilities are those of the namespace, for the set-up; the command gets none.
    ...["--user", "--map-current-user", "--keep-caps", "--mount", "--propagation", "private", "--ipc", "--uts"],
    ...["--pid", "--fork", "--kill-child", ...(command.egress === "allow" ? [] : ["--net"])],
  ];
}

function argvOf(request: RungRequest, tools: Tools): [string, ...string[]] {
  return [...processLimit(request, tools), ...request.command.argv] as [string, ...string[]];
}

function arrangementOf(request: RungRequest, tools: Tools): Arrangement {
  const { command, places, program, tempBytes } = request;
  const { cwd, env, workspace = cwd } = command;
  const ways = waysTo(programFolders(program, env?.PATH ?? process.env.PATH), noFolders);
  const { temporary, devices, deviceLinks, launcher, ip } = tools;
  const wanted = { places, workspace: realpathSync(workspace), ways };
  const bench = benchFor(temporary, wanted);
  if (bench === undefined) throw noBench(request, tools);
  const loopback = command.egress !== "allow" && launcher === undefined && ip !== undefined;
  return {
    ...{ ...wanted, temporary, bench, tempBytes, devices, deviceLinks, loopback },
    isFile: (path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === false,
  };
}

function noBench({ command }: RungRequest, { temporary }: Tools): SandboxError {
  const reason = `something that it may write lies in each of the temporary folders (${temporary.join(", ")})`;
  const advice = "Leave one of them free: the sandbox is made there.";
  return new SandboxError("setup-failed", `Could not start ${JSON.stringify(command.argv[0])}: ${reason}. ${advice}`);
}

/** What the shell of the set-up adds of its own. */
const shellVariables = ["PWD", "OLDPWD", "SHLVL", "_"];

function launchSteps(
  { command }: RungRequest,
  { architecture }: Launcher,
  steps: readonly SetUpStep[],
): readonly LaunchStep[] {
  const { cwd, env = {}, inherit = [] } = command;
  const added = shellVariables.filter((name) => !(name in env) && !inherit.includes(name));
  return [
    { type: "close" },
    ...steps.map((words) => ({ type: "other", words }) as const),
    ...added.map((name) => ({ type: "unset", name }) as const),
    ...(command.egress === "allow" ? [] : [{ type: "loopback" } as const]),
    { type: "enter", folder: realpathSync(cwd) },
    ...([{ type: "drop" }, { type: "nnp" }] as const),
    { type: "filter", filter: assembleFilter({ architecture, unixSockets: false, network: true }) },
  ];
}

/** Takes the folder, then the command. */
const lastWords = `cd -- "$1" || exit 125
shift
unset PWD OLDPWD SHLVL _
printf 'ran\\n' >&3
exec 3>&-
exec "$@"`;

function bare({ command }: RungRequest, { setpriv, sh }: Tools): readonly string[] {
  const none = ["--nnp", "--inh-caps=-all", "--ambient-caps=-all", "--bounding-set=-all"];
  return [setpriv, ...none, "--", sh, "-c", lastWords, "sandbox", realpathSync(command.cwd), ...command.argv];
}
