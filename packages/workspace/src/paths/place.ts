// A path, resolved: what it is called and where it really is. Both names are judged by the policy, so a link cannot lend a
// file a better name than its own; both are compared again at the moment of acting, so a link swapped in between is found.
import { join } from "node:path";
import type { Digest, FileAct, JudgedAct } from "@harness/spec";
import { ActRefusedError } from "@harness/spec";
import { lexicalPath } from "./lexical-path.js";
import { leavingLink, realPath, within } from "./real-path.js";
import { type FindRoot, onDiskSpelling, type Root } from "./root.js";

export interface Place {
  readonly root: Root;
  /** Relative to the root, by its spelling. */
  readonly target: string;
  /** Relative to the root, links followed; the same as `target` where there are none. */
  readonly realTarget: string;
  /** `realTarget` as an absolute path. */
  readonly absolute: string;
}

/** Resolves `path` inside a workspace. */
export type Resolve = (workspace: string, act: FileAct["type"], path: string) => Promise<Place>;

/**
 * The resolver that every path goes through. Rejects with `ActRefusedError` for a path that `lexicalPath` refuses, and for
 * one that leaves the root through a link, whether or not what it leads to exists.
 */
export function resolver(findRoot: FindRoot): Resolve {
  return async (workspace, act, path) => {
    const target = lexicalPath(act, path);
    const root = await findRoot(workspace);
    const real = await realPath(join(root.path, target));
    if (real === undefined) throw new ActRefusedError(act, target, "it goes round in a circle of links");
    const inside = within(root.path, real);
    if (inside === undefined) {
      const link = JSON.stringify(await leavingLink(root.path, target));
      throw new ActRefusedError(act, target, `it leaves the workspace through the link ${link}`);
    }
    const realTarget = root.foldsCase ? await onDiskSpelling(root.path, inside) : inside;
    return { root, target, realTarget, absolute: join(root.path, realTarget) };
  };
}

/** What is to be judged before `place` is touched: its name, and its real name where that differs. */
export function fileActs(
  type: FileAct["type"],
  place: Place,
  digests: { readonly before?: Digest | null; readonly after?: Digest | null } = {},
): readonly FileAct[] {
  const folding = place.root.foldsCase ? { foldsCase: true } : {};
  const targets = new Set([place.target, place.realTarget]);
  return [...targets].map((target) => ({ type, target, ...folding, ...digests }));
}

/** The act that covers `place`. Throws `ActRefusedError` when its name, or where it leads by now, was not granted. */
export function grantedAct(type: FileAct["type"], place: Place, granted: readonly JudgedAct[]): FileAct {
  const act = findAct(type, place.target, granted);
  if (act && findAct(type, place.realTarget, granted)) return act;
  const leads = place.target === place.realTarget ? "" : `; it leads to ${JSON.stringify(place.realTarget)} now`;
  throw new ActRefusedError(type, place.target, `it is not what was granted${leads}`);
}

function findAct(type: FileAct["type"], target: string, granted: readonly JudgedAct[]): FileAct | undefined {
  for (const { act, verdict } of granted) {
    if (act.type === type && act.target === target && verdict.effect !== "deny") return act as FileAct;
  }
  return undefined;
}

/** True when both names of what is at `name` in `folder` may be read outright. */
export function isVisible(place: Place, visible: (path: string, options: { foldsCase: boolean }) => boolean): boolean {
  const { target, realTarget, root } = place;
  const options = { foldsCase: root.foldsCase };
  return visible(target, options) && (target === realTarget || visible(realTarget, options));
}

/** The place called `name` in the folder `place`, which must not be a link. */
export function placeIn(place: Place, name: string): Place {
  const under = (folder: string) => (folder === "." ? name : `${folder}/${name}`);
  return {
    root: place.root,
    target: under(place.target),
    realTarget: under(place.realTarget),
    absolute: join(place.absolute, name),
  };
}
