// The conformance suite of the `Provider` port: every promise that the port makes is a test here, kept against a vendor on the
// loopback interface that speaks well, badly or not at all. It knows no provider by name, and judges through the port alone. A case
// gets a vendor and a provider of its own, so cases neither share state nor depend on their order.
import { describe, it } from "vitest";
import { type Group, groups } from "./provider/groups.js";
import { type DescribeProviderOptions, openSubject } from "./provider/subject.js";
import { anthropicMessages } from "./provider/wires/anthropic-messages.js";
import { openaiChat } from "./provider/wires/openai-chat.js";
import { openaiResponses } from "./provider/wires/openai-responses.js";
import type { VendorWire } from "./provider/wires/wire.js";

const wires: Readonly<Record<DescribeProviderOptions["wire"], VendorWire>> = {
  "anthropic-messages": anthropicMessages,
  "openai-chat": openaiChat,
  "openai-responses": openaiResponses,
};

/** Generous: a test that fails by this has hung. */
const caseTimeoutMs = 60_000;

/**
 * Registers the conformance suite of a provider with vitest. Call it at the top of a test file. It listens on the loopback
 * interface and dials nothing else.
 *
 * @example
 * describeProvider("acme", {
 *   wire: "openai-chat",
 *   open: (baseUrl, { apiKey, model, deadlines }) => acme({ baseUrl, apiKey, model, ...deadlines }),
 *   keepsDeadlines: true,
 * });
 */
export function describeProvider(name: string, options: DescribeProviderOptions): void {
  describe(name, () => {
    for (const group of groups) describe(group.title, () => register(group, options));
  });
}

function register({ cases, needs }: Group, options: DescribeProviderOptions): void {
  for (const [title, prove] of Object.entries(cases)) {
    if (needs && options[needs] !== true) {
      it.skip(`${title} [the provider does not declare ${needs}]`);
      continue;
    }
    it(title, { timeout: caseTimeoutMs }, async () => {
      await using subject = await openSubject(options, wires[options.wire]);
      await prove(subject);
    });
  }
}

export type { DescribeProviderOptions, OpenOptions, TestDeadlines } from "./provider/subject.js";
export type { StreamEnding, TakenRequest, VendorReply, VendorServer } from "./provider/vendor-server.js";
export { vendorServer } from "./provider/vendor-server.js";
export { type Framing, framings, inEvents } from "./provider/wires/framing.js";
