// The strongest rung: bubblewrap, which makes namespaces and mounts for one command, with a filter of ours for what those leave
// open, and one network for all commands of a run whose egress is denied.
import { assertOutOfReach } from "../out-of-reach.js";
import type { Rung, RungRequest } from "../rung.js";
import { type Holder, networkHolder } from "./holder.js";
import { type Probed, probeBubblewrap } from "./probe.js";
import { type Network, wrappedCommand } from "./wrapped-command.js";

let probed: Promise<Probed> | undefined;

/** Commands of one rung share a network while their egress is denied; those of two do not. */
export function bubblewrapRung(): Rung {
  let holder: Holder | undefined;
  const probe = () => {
    probed ??= probeBubblewrap();
    return probed;
  };

  return {
    backend: "linux-bubblewrap",
    sets: ["temp"],
    probe: async () => (await probe()).report,
    async wrap(request) {
      const { tools, sharesNetwork } = await probe();
      if (!tools) throw new Error("bubblewrap does not work on this machine");
      const { bwrap, sh, prlimit, nsenter } = tools;
      assertOutOfReach(
        request,
        [bwrap, sh, prlimit, nsenter].filter((program) => program !== undefined),
      );
      if (sharesNetwork) holder ??= networkHolder(tools);
      return wrappedCommand(request, tools, await networkOf(request, holder));
    },
    close: async () => holder?.close(),
  };
}

async function networkOf({ command, user }: RungRequest, holder: Holder | undefined): Promise<Network> {
  if (command.egress === "allow") return { type: "host" };
  if (!holder) return { type: "own" };
  try {
    return { type: "shared", pid: await holder.join(user) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const warning = `The command had a network of its own, and could reach no other command of the run: ${reason}`;
    return { type: "own", warning };
  }
}
