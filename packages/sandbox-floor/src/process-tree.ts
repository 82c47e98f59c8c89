// Ends a command with everything it started. A walk over a table is a race with processes that make processes, so it is
// repeated until a look finds nobody. What it cannot find: a process that left group and session, was handed to another
// parent, and dropped its environment. Where the command has a pid namespace of its own there is no race and nobody hides:
// with the first process of the namespace the kernel ends all of it.
import { setTimeout as pause } from "node:timers/promises";
import { type Enclosure, enclosureOf } from "./enclosure.js";
import type { Root } from "./members.js";
import type { ProcessRow, ProcessTable } from "./process-rows.js";
import { tracker } from "./tracker.js";

export interface ProcessTree {
  /** One cheap look once the direct child has exited: may something it started still run? */
  hasSurvivors(): boolean;
  /** Told of processes that were seen to belong to the command: they are found again, wherever they went. */
  learn(rows: readonly ProcessRow[]): void;
  /** Told of the first process of the command's own namespace. Believed of a descendant of the root. */
  enclose(init: number): void;
  /** Where the command has a namespace of its own. */
  readonly enclosure: Enclosure | undefined;
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
const mostDyingMs = 50;
const firstPauseMs = 2;
const longestPauseMs = 50;

/** To be called when the root is started. */
export function processTree({ root, mark, table, graceMs }: TreeOptions): ProcessTree {
  const startedAt = performance.now();
  const { look, learn, isOurs } = tracker(root, mark, table);
  const outOfReach = new Set<number>();
  let enclosure: Enclosure | undefined;
  const hasGroup = () => send(-root.pid, 0) !== "gone";

  /** Whom to signal. The group is signalled as one: none of it can fork away meanwhile. */
  function targets(): readonly number[] {
    const found = look() ?? { hasGroup: hasGroup(), strays: [] };
    return [...(found.hasGroup ? [-root.pid] : []), ...found.strays].filter((target) => !outOfReach.has(target));
  }

  /** False when there was nobody to signal. */
  function signalAll(signal: "SIGTERM" | "SIGKILL", all = targets()): boolean {
    for (const target of all) if (send(target, signal) === "refused") outOfReach.add(target);
    return all.length > 0;
  }

  /** Without a look, which takes time in which who is over would go on. The others follow. */
  function strike(): void {
    // The wrapper first, or it would live to tell the end of the namespace as if that had ended by itself.
    if (!root.hasExited) send(-root.pid, "SIGKILL");
    if (enclosure?.isAlive()) send(enclosure.init, "SIGKILL");
  }

  function hasSurvivors(): boolean {
    // Nobody in it can have gone elsewhere.
    if (enclosure) return enclosure.isAlive() || hasGroup();
    const newcomers = table.startedSince(root.pid, performance.now() - startedAt);
    if (newcomers?.length === 0) return false;
    return hasGroup() || (newcomers?.some(isOurs) ?? false);
  }

  /** A namespace whose wrapper takes it along is gone in a moment: sooner than all of the table is looked at. */
  async function isGoneSoon(): Promise<boolean> {
    await whileTrue(hasSurvivors, mostDyingMs);
    return !hasSurvivors();
  }

  return {
    hasSurvivors,
    learn,
    enclose(init) {
      enclosure ??= enclosureOf(root, init, table);
    },
    get enclosure() {
      return enclosure;
    },
    async end(how = "with-grace") {
      if (enclosure && root.hasExited && (await isGoneSoon())) return;
      if (how === "with-grace") {
        // Who stands in front would take the namespace along, and nothing in it would have its grace.
        if (!signalAll("SIGTERM", enclosure?.inside())) return;
        await whileTrue(() => targets().length > 0, graceMs);
      }
      strike();
      await whileTrue(() => signalAll("SIGKILL"), mostKillMs);
    },
    endNow() {
      strike();
      signalAll("SIGKILL");
    },
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
