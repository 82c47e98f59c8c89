// Who belongs to which command, for all commands that are watched, in one pass over the process table. A process is looked
// at whole once, and its verdict kept: those of others are then passed over, which is what makes a look cheap. Membership
// is as for the end of a tree: by group, session, parent or mark, and for good once seen.
import type { Root } from "../members.js";
import type { ProcessUsage, UsageSource } from "./proc-usage.js";

export interface Watched {
  readonly root: Root;
  readonly mark: string;
}

export interface Census<Command extends Watched> {
  /** The processes of each command. Throws when the table cannot be read, which proves nothing. */
  look(commands: ReadonlySet<Command>): ReadonlyMap<Command, readonly ProcessUsage[]>;
  /** To be called when a command was started: its number may have been another process's. */
  expect(command: Command): void;
  /** Nobody is watched any more. */
  forget(): void;
}

interface Verdict<Command> {
  readonly startedAt: string;
  readonly owner: Command | undefined;
  /** How often its environment could not be seen: a program that is just being started has none. */
  readonly unseen: number;
}

/** Who has no environment after so many looks has none: a kernel's thread, or another user's process. */
const mostUnseen = 4;
/** Each process of others is looked at again after so many looks, since numbers are used again. */
const turns = 16;

export function census<Command extends Watched>(source: UsageSource): Census<Command> {
  const verdicts = new Map<number, Verdict<Command>>();
  let looks = 0;

  function isPassedOver(pid: number): boolean {
    const verdict = verdicts.get(pid);
    if (verdict === undefined || verdict.owner !== undefined || verdict.unseen > 0) return false;
    return (pid + looks) % turns !== 0;
  }

  function judge(usage: ProcessUsage, index: Index<Command>): Command | undefined {
    const known = verdicts.get(usage.pid);
    const isKnown = known?.startedAt === usage.startedAt;
    if (known && isKnown && known.unseen === 0) return known.owner;
    const byKin = index.byNumber(usage) ?? verdicts.get(usage.parent)?.owner;
    const marks = byKin || index.isOlder(usage) ? [] : source.marks(usage.pid);
    const owner = byKin ?? marks?.map((mark) => index.byMark.get(mark)).find((command) => command !== undefined);
    const missed = marks === undefined ? (isKnown ? known.unseen : 0) + 1 : 0;
    const unseen = missed < mostUnseen ? missed : 0;
    verdicts.set(usage.pid, { startedAt: usage.startedAt, owner, unseen });
    return owner;
  }

  function forgetAllBut(pids: readonly number[]): void {
    if (verdicts.size <= pids.length) return;
    const present = new Set(pids);
    for (const pid of verdicts.keys()) if (!present.has(pid)) verdicts.delete(pid);
  }

  return {
    look(commands) {
      looks += 1;
      const found = new Map([...commands].map((command) => [command, [] as ProcessUsage[]]));
      const pids = source.pids();
      const index = indexOf(commands, source);
      for (const pid of pids) {
        if (isPassedOver(pid) || pid === process.pid) continue;
        const usage = source.usage(pid);
        if (usage === undefined) verdicts.delete(pid);
        else found.get(judge(usage, index) as Command)?.push(usage);
      }
      forgetAllBut(pids);
      return found;
    },
    expect: ({ root }) => verdicts.delete(root.pid),
    forget: () => verdicts.clear(),
  };
}

interface Index<Command> {
  readonly byMark: ReadonlyMap<string, Command>;
  /** By being the direct child, or by its group or session. */
  byNumber(usage: ProcessUsage): Command | undefined;
  /** It was there before any of the commands. */
  isOlder(usage: ProcessUsage): boolean;
}

function indexOf<Command extends Watched>(commands: ReadonlySet<Command>, source: UsageSource): Index<Command> {
  // A root that was collected is no proof any more: its number may be a stranger's.
  const running = [...commands].filter(({ root }) => !root.hasExited);
  const byRoot = new Map(running.map((command) => [command.root.pid, command]));
  const starts = [...commands].map(({ root }) => Number(source.usage(root.pid)?.startedAt ?? 0));
  const oldest = Math.min(...starts);
  return {
    byMark: new Map([...commands].map((command) => [command.mark, command])),
    byNumber: ({ pid, group, session }) => byRoot.get(pid) ?? byRoot.get(group) ?? byRoot.get(session),
    isOlder: ({ startedAt }) => Number(startedAt) < oldest,
  };
}
