// Commands that go on while a test looks at what they have printed so far.
import type { Answer, Desk } from "./desk.test-support.js";
import type { FakeTerminal, FakeTerminalOptions } from "./terminal.test-support.js";

/** `shown` resolves with the terminal once it has shown `sign`, while the command goes on; `answer` when it is over. */
export function started(at: Desk, args: readonly string[], sign: string, options: FakeTerminalOptions = {}) {
  let answer: Promise<Answer> | undefined;
  const shown = new Promise<FakeTerminal>((resolve, reject) => {
    answer = at.harness(args, {
      ...options,
      onOut(_text, terminal) {
        if (terminal.printed().includes(sign)) resolve(terminal);
      },
    });
    answer.then(
      ({ printed, complained }) =>
        reject(new Error(`It ended without ${JSON.stringify(sign)}: ${printed}${complained}`)),
      reject,
    );
  });
  return { shown, answer: answer as unknown as Promise<Answer> };
}
