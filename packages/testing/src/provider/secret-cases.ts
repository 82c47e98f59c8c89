// Promises about the credential: vendors and proxies echo it, and it stands in nothing that a provider says or shows.
import { expect } from "vitest";
import { allOf, failureOf } from "./observe.js";
import type { Cases, Subject } from "./subject.js";
import type { VendorReply } from "./vendor-server.js";
import { inEvents } from "./wires/framing.js";

async function saysNothingOf({ vendor, apiKey, ask }: Subject, reply: VendorReply): Promise<void> {
  vendor.answer(reply);
  const error = await failureOf(ask());

  expect(allOf(error)).not.toContain(apiKey);
  expect(error.message).toMatch(/\S/);
}

export const secretCases: Cases = {
  "keeps a key out of the error for a refusal that echoes it": async (subject) => {
    const { apiKey, wire } = subject;
    const message = `Incorrect API key provided: ${apiKey}. Sent as: Authorization: Bearer ${apiKey}`;
    for (const status of [302, 400, 401, 402, 403, 404, 408, 413, 429, 500, 502]) {
      const headers = { location: `http://elsewhere.invalid/?key=${apiKey}`, "x-request-id": `request-${apiKey}` };
      const body = wire.failureBody({ code: `code_${apiKey}`, message });
      await saysNothingOf(subject, { type: "body", status, body, headers });
      await saysNothingOf(subject, { type: "body", status, body: `<html><body>${message}</body></html>`, headers });
    }
  },

  "keeps a key out of the error for a failure in a stream that echoes it": async (subject) => {
    const { apiKey, wire } = subject;
    const failure = wire.failure({ code: `code_${apiKey}`, message: `Key ${apiKey} was revoked.` });
    await saysNothingOf(subject, { type: "stream", text: inEvents(failure) });
    await saysNothingOf(subject, { type: "stream", text: `data: {"key": "${apiKey}\n\n` });
    await saysNothingOf(subject, { type: "stream", text: inEvents([`{"key":"${apiKey}"}`]) });
    await saysNothingOf(subject, { type: "body", body: `{"key": "${apiKey}` });
  },

  "keeps a key out of the errors of connections": async (subject) => {
    const { apiKey, ask, openAt, vendor } = subject;
    await saysNothingOf(subject, { type: "reset" });
    await saysNothingOf(subject, { type: "stream", text: "", ending: "reset" });
    await vendor.close();

    expect(allOf(await failureOf(ask()))).not.toContain(apiKey);
    const provider = await openAt("http://no-such-host.invalid/v1");
    expect(allOf(await failureOf(ask({}, { provider })))).not.toContain(apiKey);
  },

  "keeps a key out of the error for a signal that fired": async ({ apiKey, ask }) => {
    const signal = AbortSignal.abort(new Error("enough"));

    expect(allOf(await failureOf(ask({}, { signal })))).not.toContain(apiKey);
  },

  "shows no key when it is printed or serialised": async ({ apiKey, provider }) => {
    expect(allOf(provider)).not.toContain(apiKey);
  },

  "puts no key in a completion": async ({ apiKey, speak, ask }) => {
    speak({ text: ["Fine."] });

    expect(allOf(await ask())).not.toContain(apiKey);
  },
};
