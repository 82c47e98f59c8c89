// Answers a worker's questions by the policy, behind whatever else the main thread has to do in this turn of its event loop. A
// worker has few questions open at a time, so no turn is long.
import { isVisible, type Place } from "../paths/place.js";
import { calledFrom, under } from "../walk/names.js";
import type { FilesOfFolder, Verdicts } from "./messages.js";

export type IsVisible = Parameters<typeof isVisible>[1];

export interface Answering {
  /** Questions are answered in the order in which they come. */
  take(files: readonly FilesOfFolder[]): void;
  /** Nothing is answered any more. */
  stop(): void;
}

/** Answers to `answer` for a search that starts at `start`; what `visible` throws goes to `failed`. */
export function answering(
  start: Place,
  visible: IsVisible,
  answer: (verdicts: Verdicts) => void,
  failed: (error: unknown) => void,
): Answering {
  const turns = new Set<ReturnType<typeof setImmediate>>();
  return {
    take(files) {
      const turn = setImmediate(() => {
        turns.delete(turn);
        try {
          answer(judge(start, files, visible));
        } catch (error) {
          failed(error);
        }
      });
      turns.add(turn);
    },
    stop() {
      for (const turn of turns) clearImmediate(turn);
    },
  };
}

/** 1 for each file that may be seen, 0 for the others. */
function judge(start: Place, files: readonly FilesOfFolder[], visible: IsVisible): Verdicts {
  const verdicts: number[] = [];
  for (const [folder, names] of files) {
    const called = calledFrom(start, folder);
    for (const name of names.split("/")) {
      const place = { root: start.root, target: under(called, name), realTarget: under(folder, name), absolute: "" };
      verdicts.push(isVisible(place, visible) ? 1 : 0);
    }
  }
  return Uint8Array.from(verdicts);
}
