// The demo: an agent repairs a small project, and every step of it is shown. `npm start` comes here.
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import {
  commandOf,
  commandPlace,
  leave,
  processTerminal,
  reportFailure,
  runContract,
  type Terminal,
  tolerateClosedPipes,
} from "@harness/cli/terminal";
import { ConfigError } from "@harness/spec";
import { type IntroductionFacts, introduction } from "./introduction.js";
import { liveModel } from "./live-model.js";
import { contractFor, copyProject, demoPolicy } from "./order.js";

/** The demo is only ever run in its repository, where the binary is called so. */
const prefix = { HARNESS_COMMAND_PREFIX: "npm run -s harness --" };

interface Player {
  /** As `--provider` takes it. */
  readonly provider: string;
  readonly model: IntroductionFacts["model"];
}

async function demo(terminal: Terminal, { provider, model }: Player): Promise<number> {
  const folder = await copyProject(terminal.env);
  const contract = contractFor(folder, {
    isScripted: model === "scripted",
    model: typeof model === "object" ? model.model : undefined,
  });
  const resume = `${commandOf(commandPlace(terminal, undefined), "resume")} <the id below>`;
  terminal.out.write(introduction({ folder, model, resume }));
  return runContract(terminal, { contract, provider, policy: demoPolicy() });
}

async function start(): Promise<number> {
  const usual = processTerminal();
  const terminal = { ...usual, env: { ...prefix, ...usual.env } };
  try {
    return await demo(terminal, playerFor(terminal.env));
  } catch (error) {
    return reportFailure(terminal, error);
  }
}

/** What the command line names, else what the environment has a key for, else the script. */
function playerFor(env: Terminal["env"]): Player {
  const { provider, offline = false } = options();
  if (provider !== undefined && offline) throw new ConfigError("The demo takes --provider or --offline, and not both.");
  if (provider !== undefined) return { provider, model: "named" };
  const live = offline ? undefined : liveModel(env);
  if (live) return { provider: live.provider, model: live };
  return { provider: fileURLToPath(new URL("./scripted-model.js", import.meta.url)), model: "scripted" };
}

/** Throws `ConfigError` for anything else on the command line. */
function options(): { readonly provider?: string; readonly offline?: boolean } {
  try {
    return parseArgs({ options: { provider: { type: "string" }, offline: { type: "boolean" } } }).values;
  } catch (cause) {
    const message = `${(cause as Error).message}. The demo takes --provider <name or module>, or --offline, and nothing else.`;
    throw new ConfigError(message, { cause });
  }
}

tolerateClosedPipes();
leave(await start());
