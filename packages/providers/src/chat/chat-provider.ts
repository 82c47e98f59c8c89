// A vendor of the Chat API as a provider: the wire with its quirks, behind an address and a key.
import type { Provider } from "@harness/spec";
import { type Deadlines, httpProvider } from "../http/http-provider.js";
import { type ChatWireOptions, chatWire } from "./chat-wire.js";
import { chatModels } from "./models.js";
import { allQuirks } from "./quirks.js";

export interface ChatProviderOptions extends ChatWireOptions {
  readonly name: string;
  readonly baseUrl: string;
  readonly model: string;
  /** The credential included. */
  readonly headers: Readonly<Record<string, string>>;
  readonly deadlines: Deadlines;
}

export function chatProvider(options: ChatProviderOptions): Provider {
  const { name, baseUrl, model, headers, deadlines } = options;
  const { images, modelsEndpoint } = allQuirks(options.quirks);
  return httpProvider({
    ...{ name, baseUrl, model, headers, deadlines },
    wire: chatWire(options),
    acceptsImages: images,
    ...(modelsEndpoint ? { models: chatModels } : {}),
  });
}
