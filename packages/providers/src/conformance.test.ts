// Every provider of this package keeps what the port promises, each on the API that it speaks.
import { describeProvider } from "@harness/testing/provider";
import { anthropic } from "./anthropic.js";
import { compatible } from "./compatible.js";
import { openai, openaiResponses } from "./openai.js";
import { openRouter } from "./openrouter.js";

const keepsDeadlines = true;

describeProvider("anthropic", {
  wire: "anthropic-messages",
  open: (baseUrl, options) => anthropic({ baseUrl, ...options }),
  keepsDeadlines,
});

describeProvider("openai", {
  wire: "openai-chat",
  open: (baseUrl, options) => openai({ baseUrl, ...options }),
  keepsDeadlines,
});

describeProvider("openaiResponses", {
  wire: "openai-responses",
  open: (baseUrl, options) => openaiResponses({ baseUrl, ...options }),
  keepsDeadlines,
});

describeProvider("openRouter", {
  wire: "openai-chat",
  open: (baseUrl, options) => openRouter({ baseUrl, ...options }),
  keepsDeadlines,
});

describeProvider("compatible", {
  wire: "openai-chat",
  open: (baseUrl, options) => compatible({ baseUrl, ...options }),
  keepsDeadlines,
});
