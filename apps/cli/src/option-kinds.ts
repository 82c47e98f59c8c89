// Options and arguments that several commands take, and what each must look like.
import { InvalidArgumentError, Option } from "commander";

/** Makes an action of commander's out of one that resolves to an exit code. */
export type Action = <Given extends readonly unknown[]>(
  work: (...given: Given) => Promise<number>,
) => (...given: Given) => Promise<void>;

export function providerOption(more?: string): Option {
  const what =
    "the model: anthropic, openai, openrouter, compatible, a preset as groq or ollama; or an ES module that exports `provider`, by path or package name";
  return new Option("--provider <name>", more === undefined ? what : `${what} (${more})`);
}

export function storeOption(): Option {
  return new Option("--store <path>", "the file that holds the runs (default: this machine's)");
}

export function recordOption(): Option {
  return new Option("--record <file>", "keep what the model answers in this file, to be played again");
}

export function replayOption(): Option {
  const option = new Option("--replay <file>", "play what was recorded in this file in place of a model");
  return option.conflicts(["provider", "record"]);
}

export function pricesOption(what = "what models cost (default: the prices that a run was driven with)"): Option {
  return new Option("--prices <prices.json>", what);
}

export function unpricedOption(): Option {
  const what = "under a budget of money, whether a model without a price may be asked (default: refuse)";
  return new Option("--unpriced <what>", what).choices(["refuse", "allow"]);
}

export function askOption(): Option {
  const what = "ask at this terminal what the run wants a person for; answers from elsewhere count as well";
  return new Option("--ask", what).conflicts(["wait"]);
}

export function waitOption(): Option {
  return new Option(
    "--wait",
    "stay while it waits, and go on when an answer comes from anywhere (default: on a terminal)",
  );
}

export function noWaitOption(): Option {
  return new Option("--no-wait", "pause instead, and exit with 3 (default: where nobody looks)");
}

/** A whole number above 0. */
export function count(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError("It must be a whole number above 0.");
  return Number(text);
}

/** A hash, as this program prints them. */
export function digest(text: string): string {
  if (!/^[0-9a-f]{64}$/.test(text))
    throw new InvalidArgumentError("It must be 64 hexadecimal digits, as `verify` prints them.");
  return text;
}
