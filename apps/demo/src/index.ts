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
import { introduction } from "./introduction.js";
import { contractFor, copyProject, demoPolicy } from "./order.js";

/** The demo is only ever run in its repository, where the binary is called so. */
const prefix = { HARNESS_COMMAND_PREFIX: "npm run -s harness --" };

async function demo(terminal: Terminal, given: string | undefined): Promise<number> {
  const folder = await copyProject(terminal.env);
  const provider = given ?? fileURLToPath(new URL("./scripted-model.js", import.meta.url));
  const resume = `${commandOf(commandPlace(terminal, undefined), "resume")} <the id below>`;
  terminal.out.write(introduction({ folder, isScripted: given === undefined, resume }));
  return runContract(terminal, { contract: contractFor(folder), provider, policy: demoPolicy() });
}

async function start(): Promise<number> {
  const usual = processTerminal();
  const terminal = { ...usual, env: { ...prefix, ...usual.env } };
  try {
    return await demo(terminal, givenProvider());
  } catch (error) {
    return reportFailure(terminal, error);
  }
}

/** What `--provider` names. Throws `ConfigError` for anything else on the command line. */
function givenProvider(): string | undefined {
  try {
    return parseArgs({ options: { provider: { type: "string" } } }).values.provider;
  } catch (cause) {
    throw new ConfigError(`${(cause as Error).message}. The demo takes --provider <module> and nothing else.`, {
      cause,
    });
  }
}

tolerateClosedPipes();
leave(await start());
