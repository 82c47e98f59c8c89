// Two runs may work in one folder; whoever comes second is told of the first. One look at the newest runs there, however many
// there have been: a warning is not worth more.
import type { NewEvent, RunHead, RunId, Store } from "@harness/spec";

/** How many of the newest runs in the workspace are looked at. */
const looked = 10;

/** A warning when another run that has not ended works in `workspace`, unless it was given already. */
export async function sharedWarning(
  store: Store,
  run: RunId,
  workspace: string,
  { step, warned }: { readonly step: number; readonly warned: RunId | undefined },
): Promise<readonly NewEvent[]> {
  const heads = await store.runs({ workspace, limit: looked });
  const others = heads.filter((head) => head.id !== run && isAtWork(head) && isIn(workspace, head));
  const [first] = others;
  if (!first || others.some(({ id }) => id === warned)) return [];
  return [{ type: "workspace.shared", step, with: first.id }];
}

/** One that was created and never started does no work once its driver is gone, and cannot be resumed to an end. */
function isAtWork({ state, seq, lease }: RunHead): boolean {
  return state !== "ended" && (seq > 0 || (lease !== null && lease.isAlive !== false));
}

/** A store that does not know where runs work answers with all of them. */
function isIn(workspace: string, head: { readonly workspace?: string }): boolean {
  return head.workspace === workspace;
}
