// Two runs may work in one folder; whoever comes second is told of the first. One look at the newest runs there, however many
// there have been: a warning is not worth more.
import type { NewEvent, RunId, Store } from "@harness/spec";

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
  // One that was created and never started does no work, and cannot be resumed to end.
  const others = heads.filter(
    ({ id, state, seq, ...head }) => id !== run && state !== "ended" && seq > 0 && isIn(workspace, head),
  );
  const [first] = others;
  if (!first || others.some(({ id }) => id === warned)) return [];
  return [{ type: "workspace.shared", step, with: first.id }];
}

/** A store that does not know where runs work answers with all of them. */
function isIn(workspace: string, head: { readonly workspace?: string }): boolean {
  return head.workspace === workspace;
}
