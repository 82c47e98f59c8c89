// Ends a command with everything it started. A walk over a table is a race with processes that make processes, so it is
// repeated until a look finds nobody. What it cannot find: a process that left group and session, was handed to another
// parent, and dropped its environment.
import { setTimeout as pause } from "node:timers/promises";
import type { Root } from "./members.js";
import type { ProcessRow, ProcessTable } from "./process-rows.js";
import { tracker } from "./tracker.js";

export interface ProcessTree {
  /** One cheap look once the direct child has exited: may something it started still run? */
  hasSurvivors(): boolean;
  /** Told of processes that were seen to belong to the command: they are found again, wherever they went. */
  learn(rows: readonly ProcessRow[]): void;
  /**
   * SIGTERM, a grace, SIGKILL; or SIGKILL `at-once`. Resolves when nothing is found any more, or nothing more can be done.
   */
  end(how?: "with-grace" | "at-once"): Promise<void>;
  /** SIGKILL at once, for a process that is about to be gone itself. */
  endNow(): void;
}

export interface TreeOptions {
  readonly root: Root;
  readonly mark: string;
  readonly table: ProcessTable;
  readonly graceMs: number;
}

/** How long SIGKILL is tried: longer than any fork bomb lasts, and an end for a process the kernel does not let die. */
const mostKillMs = 5_000;
const firstPauseMs = 2;
const longestPauseMs = 50;

/** To be called when the root is started. */
export function processTree({ root, mark, table, graceMs }: TreeOptions): ProcessTree {
  const startedAt = performance.now();
  const { look, learn, isOurs } = tracker(root, mark, table);
  const outOfReach = new Set<number>();
  const hasGroup = () => send(-root.pid, 0) !== "gone";

  /** Whom to signal. The group is signalled as one: none of it can fork away meanwhile. */
  function targets(): readonly number[] {
    const found = look() ?? { hasGroup: hasGroup(), strays: [] };
    return [...(found.hasGroup ? [-root.pid] : []), ...found.strays].filter((target) => !outOfReach.has(target));
  }

  /** False when there was nobody to signal. */
  function signalAll(signal: "SIGTERM" | "SIGKILL"): boolean {
    const all = targets();
    for (const target of all) if (send(target, signal) === "refused") outOfReach.add(target);
    return all.length > 0;
  }

  return {
    hasSurvivors() {
      const newcomers = table.startedSince(root.pid, performance.now() - startedAt);
      if (newcomers?.length === 0) return false;
      return hasGroup() || (newcomers?.some(isOurs) ?? false);
    },
    learn,
    async end(how = "with-grace") {
      if (how === "with-grace") {
        if (!signalAll("SIGTERM")) return;
        await whileTrue(() => targets().length > 0, graceMs);
      } else if (!root.hasExited) {
        // Without a look, which takes time in which who is over would go on. The others follow.
        send(-root.pid, "SIGKILL");
      }
      await whileTrue(() => signalAll("SIGKILL"), mostKillMs);
    },
    endNow: () => void signalAll("SIGKILL"),
  };
}

/** Asks again and again, at growing intervals, for `mostMs` at most. */
async function whileTrue(condition: () => boolean, mostMs: number): Promise<void> {
  const start = performance.now();
  for (let waitMs = firstPauseMs; condition(); waitMs = Math.min(waitMs * 2, longestPauseMs)) {
    const leftMs = mostMs - (performance.now() - start);
    if (leftMs <= 0) return;
    await pause(Math.min(waitMs, leftMs));
  }
}

function send(pid: number, signal: NodeJS.Signals | 0): "sent" | "gone" | "refused" {
  try {
    process.kill(pid, signal);
    return "sent";
  } catch (error) {
    // Already gone is what was wanted. Refused: it runs as another user by now.
    return (error as { code?: string }).code === "ESRCH" ? "gone" : "refused";
  }
}
