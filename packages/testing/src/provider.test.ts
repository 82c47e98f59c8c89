import { toyProvider } from "./provider/toy-provider.test-support.js";
import { describeProvider } from "./provider.js";

describeProvider("a toy provider", {
  wire: "openai-chat",
  open: (baseUrl, { apiKey, model }) => toyProvider(baseUrl, apiKey, model),
});
