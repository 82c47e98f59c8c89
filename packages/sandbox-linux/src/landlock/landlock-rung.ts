// The rung for machines that allow no namespaces: a command restricts itself before it starts, by Landlock for files and by a
// filter for the rest. Nothing is hidden and nothing lies over anything: where a command may write, it may write everything.
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { makeTempFolder, type Wrapped } from "@harness/sandbox-floor";
import { assembleFilter } from "../filter/assemble-filter.js";
import { assertOutOfReach } from "../out-of-reach.js";
import type { Rung, RungRequest } from "../rung.js";
import { launched } from "./launcher-tools.js";
import { type LaunchStep, launcherVariables } from "./launcher-words.js";
import { type LandlockTools, type Probed, probeLandlock } from "./probe.js";
import { handledBy } from "./rights.js";
import { type Place, ruleSteps } from "./rules.js";
import { launcherStatus } from "./status.js";

let probed: Promise<Probed> | undefined;

export function landlockRung(): Rung {
  const probe = () => {
    probed ??= probeLandlock(wrapped);
    return probed;
  };

  return {
    backend: "linux-landlock",
    probe: async () => (await probe()).report,
    async wrap(request) {
      const { tools } = await probe();
      if (!tools) throw new Error("Landlock does not work on this machine");
      return wrapped(request, tools);
    },
  };
}

/** Makes the command's temporary folder, which its end removes. */
function wrapped(request: RungRequest, tools: LandlockTools): Wrapped {
  assertOutOfReach(request, [tools.perl]);
  const temp = makeTempFolder(request.user);
  return {
    argv: launched(request, tools, launchSteps(request, tools, temp.path)),
    descriptors: [{ type: "status" }],
    status: launcherStatus,
    temp: temp.path,
    variables: { ...launcherVariables, ...temp.variables, ...homeIn(temp.path, request) },
    after: async () => {
      await temp.remove();
      return {};
    },
  };
}

/** Who has none has the temporary folder for a home, and here that is another one. */
function homeIn(temp: string, { user, command }: RungRequest): Readonly<Record<string, string>> {
  return user?.variables.HOME === "/tmp" && command.env?.HOME === undefined ? { HOME: temp } : {};
}

function launchSteps({ command, places }: RungRequest, tools: LandlockTools, temp: string): readonly LaunchStep[] {
  const isAllowed = command.egress === "allow";
  const handled = handledBy(tools.abi, isAllowed ? "allowed" : "denied");
  const writable = [...places.writable.flatMap(placeAt), { path: temp, isFolder: true }];
  const { architecture } = tools;
  return [
    { type: "close" },
    { type: "core" },
    ...ruleSteps({ handled, roots: rootPlaces(), writable }),
    // Before the filter, which refuses what they ask for; and privileges before rules, which need that none can be had.
    ...([{ type: "drop" }, { type: "nnp" }, { type: "restrict" }] as const),
    { type: "filter", filter: assembleFilter({ architecture, unixSockets: false, network: isAllowed }) },
  ];
}

function placeAt(path: string): readonly Place[] {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats ? [{ path, isFolder: stats.isDirectory() }] : [];
}

/** A link leads to what is granted under its own name. */
function rootPlaces(): readonly Place[] {
  const entries = readdirSync("/", { withFileTypes: true }).filter((entry) => !entry.isSymbolicLink());
  return entries.map((entry) => ({ path: join("/", entry.name), isFolder: entry.isDirectory() }));
}
