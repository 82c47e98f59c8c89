// Where a process can die: right before and right behind everything that it makes durable, and behind every effect whose result is
// not recorded yet. It counts these places as it passes them and kills itself at the one it was told, so nothing has to be timed.
import type { Sandbox, Store } from "@harness/spec";

export type Side = "before" | "behind";

/** A place that was passed, and on which sides of it a process can die to some purpose. */
export interface Site {
  readonly label: string;
  readonly sides: readonly Side[];
}

export interface KillPoint {
  /** How many sites were passed before it. */
  readonly site: number;
  readonly side: Side;
}

export interface KillSwitch {
  readonly sites: readonly Site[];
  /** Does `act`, unless the process dies before it. What follows it happens unless the process dies behind it. */
  pass<Value>(label: string, sides: readonly Side[], act: () => Promise<Value>): Promise<Value>;
}

export function killSwitch(point?: KillPoint): KillSwitch {
  const sites: Site[] = [];
  const dieAt = (site: number, side: Side) => {
    // Does not return: the signal is delivered before the call ends.
    if (point?.site === site && point.side === side) process.kill(process.pid, "SIGKILL");
  };
  return {
    sites,
    async pass(label, sides, act) {
      const site = sites.push({ label, sides }) - 1;
      dieAt(site, "before");
      const value = await act();
      dieAt(site, "behind");
      return value;
    },
  };
}

const both = ["before", "behind"] as const;

/** `inner`, with a site at everything that it makes durable. */
export function mortalStore<Opened extends Store>(inner: Opened, { pass }: KillSwitch): Opened {
  return {
    ...inner,
    create: (record) => pass(`create ${record.id}`, both, () => inner.create(record)),
    // Before it is where the site in front of it was left.
    acquire: (...given) => pass("acquire", ["behind"], () => inner.acquire(...given)),
    append(lease, run, events) {
      const append = () => inner.append(lease, run, events);
      const types = events.map(({ facts }) => JSON.parse(facts).type);
      return events.length === 0 ? append() : pass(`append ${types.join(", ")}`, both, append);
    },
    answer: (run, answer) => pass(`answer ${answer.request}`, both, () => inner.answer(run, answer)),
    // Behind it there is nothing left to lose.
    release: (lease) => pass("release", ["before"], () => inner.release(lease)),
    blobs: { ...inner.blobs, put: (bytes) => pass("keep a blob", both, () => inner.blobs.put(bytes)) },
  };
}

/** `inner`, with a site behind every command. */
export function mortalSandbox(inner: Sandbox, { pass }: KillSwitch): Sandbox {
  return {
    ...inner,
    run: (command) => pass(`command ${command.argv.join(" ")}`, ["behind"], () => inner.run(command)),
  };
}
