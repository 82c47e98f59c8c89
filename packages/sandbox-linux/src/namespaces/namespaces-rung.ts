// The rung for machines without bubblewrap: what bubblewrap does is done by the programs that come with nearly every Linux. It holds
// the same, and takes longer to start.
import type { Rung } from "../rung.js";
import { type Probed, probeNamespaces } from "./probe.js";
import { wrappedCommand } from "./wrapped-command.js";

let probed: Promise<Probed> | undefined;

export function namespacesRung(): Rung {
  const probe = () => {
    probed ??= probeNamespaces();
    return probed;
  };

  return {
    backend: "linux-namespaces",
    sets: ["temp"],
    probe: async () => (await probe()).report,
    async wrap(request) {
      const { tools } = await probe();
      if (!tools) throw new Error("namespaces do not work on this machine");
      return wrappedCommand(request, tools);
    },
  };
}
