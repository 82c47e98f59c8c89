// From a launch to a supervised process. What is opened on the way is let go of again when the command does not get to run;
// afterwards it is the supervision's.
import type { Backend, Clock, SandboxCommand, SandboxProcess } from "@harness/spec";
import type { CapMeans } from "./caps/cap-means.js";
import { commandCaps } from "./caps/command-caps.js";
import { makeTempFolder, type TempFolder } from "./caps/temp-folder.js";
import { startChild } from "./child.js";
import { aborted } from "./failures.js";
import { processFifos } from "./fifo/fifo-stock.js";
import { type OutputPipes, openOutputPipes } from "./fifo/output-pipes.js";
import { inheritedDescriptors } from "./inherited-descriptors.js";
import type { Launch } from "./launch.js";
import type { Root } from "./members.js";
import type { ProcessTree } from "./process-tree.js";
import { supervise } from "./supervise.js";
import type { Wrapper } from "./wrapper.js";

export interface Surroundings {
  readonly backend: Backend;
  readonly means: CapMeans;
  /** The command gets a temporary folder of its own when it has a cap on that. */
  readonly makesTemp: boolean;
  readonly treeOf: (root: Root, mark: string) => ProcessTree;
  readonly clock: Clock;
  readonly keepBytes: number;
  readonly windowBytes: number | undefined;
  readonly drainMs: number;
}

/** Rejects with `SandboxError` when nothing was started; nothing is held then. */
export async function startCommand(
  command: SandboxCommand,
  launch: Launch,
  surroundings: Surroundings,
): Promise<SandboxProcess> {
  const { backend, means, makesTemp, treeOf, clock, keepBytes, windowBytes, drainMs } = surroundings;
  const { argv, mark, wrapper } = launch;
  let pipes: OutputPipes | undefined;
  let temp: TempFolder | undefined;
  try {
    pipes = await openOutputPipes(processFifos());
    if (wrapper?.user) pipes.giveTo(wrapper.user);
    if (command.signal?.aborted) throw aborted(argv, command.signal);
    if (makesTemp && command.limits?.maxTempBytes !== undefined) temp = tempFolder(wrapper);
    const caps = commandCaps({ command, launch, temp, means });
    const child = await startChild({ ...launch, env: { ...launch.env, ...temp?.variables } }, pipes, command.stdin);
    const tree = treeOf(child, mark);
    wrapper?.onInit(tree.enclose);
    const { warnings } = inheritedDescriptors();
    return supervise({
      ...{ backend, command, argv, child, tree, caps, wrapper, warnings },
      ...{ clock, keepBytes, windowBytes, drainMs },
    });
  } catch (error) {
    pipes?.release();
    await temp?.remove();
    await wrapper?.finish();
    throw error;
  }
}

function tempFolder(wrapper: Wrapper | undefined): TempFolder {
  const path = wrapper?.temp;
  // The wrapper's own goes with the wrapper, and its variables are set already.
  return path === undefined ? makeTempFolder(wrapper?.user) : { path, variables: {}, remove: async () => {} };
}
