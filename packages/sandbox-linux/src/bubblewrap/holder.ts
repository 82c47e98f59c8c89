// One network for all commands of a run, with nobody in it but them: what a command started with a longer life serves on the
// loopback, a later one can ask for. It lasts as long as an idle process in it, which no command sees, and which ends with this
// process, however that ends. Nothing listens in it.
import { type ChildProcess, spawn } from "node:child_process";
import { readlinkSync } from "node:fs";
import type { Readable } from "node:stream";
import type { RunAs } from "../user/run-as.js";
import { bubblewrapStatus } from "./status.js";

type User = Pick<RunAs, "uid" | "gid">;

export interface Holder {
  /**
   * The process whose network to join, started as `user` if there is none or it has died. Rejects when it cannot be had. The user
   * is the same for all commands of a sandbox.
   */
  join(user?: User): Promise<number>;
  /** May be called twice. */
  close(): Promise<void>;
}

export interface HolderTools {
  readonly bwrap: string;
  readonly sh: string;
}

interface Held {
  readonly child: ChildProcess;
  readonly pid: number;
}

/** Longer than any start takes on a machine that is busy. */
const mostStartMs = 10_000;

export function networkHolder(tools: HolderTools): Holder {
  let held: Promise<Held> | undefined;
  let isClosed = false;

  function start(user: User | undefined): Promise<Held> {
    const starting = startHolder(tools, user);
    const forget = () => {
      if (held === starting) held = undefined;
    };
    starting.then(({ child }) => child.once("exit", forget), forget);
    held = starting;
    return starting;
  }

  return {
    async join(user) {
      if (isClosed) throw new Error("The network of this sandbox's commands is closed.");
      const found = await (held ?? start(user));
      // One that has just died may not have been heard of yet.
      return isThere(found) ? found.pid : (await start(user)).pid;
    },
    async close() {
      isClosed = true;
      const last = await held?.catch(() => undefined);
      if (last) await ended(last.child);
    },
  };
}

function isThere({ pid }: Held): boolean {
  try {
    readlinkSync(`/proc/${pid}/ns/net`);
    return true;
  } catch {
    return false;
  }
}

/**
 * Without a `/dev` of its own: bubblewrap makes a second user namespace for that, and the network must belong to the one that
 * is joined.
 */
const confinement = [
  ...["--unshare-user", "--unshare-net", "--unshare-pid", "--as-pid-1", "--cap-drop", "ALL"],
  ...["--die-with-parent", "--new-session", "--ro-bind", "/", "/"],
];

/** The word comes when the network is up; then the shell gives way to what does nothing at all. */
const idle = "echo ready; exec sleep 2147483647";

async function startHolder({ bwrap, sh }: HolderTools, user: User | undefined): Promise<Held> {
  const child = spawn(bwrap, [...confinement, "--json-status-fd", "3", "--", sh, "-c", idle], {
    ...(user && { uid: user.uid, gid: user.gid }),
    ...{ cwd: "/", env: { PATH: "/usr/bin:/bin:/run/current-system/sw/bin" }, detached: true },
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  const [, printed, complaints, status] = child.stdio as unknown as [null, Readable, Readable, Readable];
  let pid: number | undefined;
  try {
    pid = await firstProcess(child, { printed, complaints, status });
  } catch (error) {
    await ended(child);
    throw error;
  }
  // Nobody waits for it: it must not keep this process alive.
  for (const stream of [printed, complaints, status]) stream.destroy();
  child.unref();
  return { child, pid };
}

interface Streams {
  readonly printed: Readable;
  readonly complaints: Readable;
  readonly status: Readable;
}

function firstProcess(child: ChildProcess, { printed, complaints, status }: Streams): Promise<number> {
  const said = { printed: "", complaints: "", status: "" };
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("bubblewrap has made no network in 10 seconds.")), mostStartMs);
    const look = () => {
      const { init } = bubblewrapStatus(said.status);
      if (init === undefined || !said.printed.includes("\n")) return;
      clearTimeout(timer);
      resolve(init);
    };
    const hear = (stream: Readable, name: keyof typeof said) =>
      stream.setEncoding("utf8").on("data", (text: string) => {
        said[name] += text;
        look();
      });
    hear(printed, "printed");
    hear(complaints, "complaints");
    hear(status, "status");
    child.once("error", reject);
    child.once("close", (code) => reject(new Error(said.complaints.trim() || `bubblewrap has ended with ${code}.`)));
    child.once("close", () => clearTimeout(timer));
  });
}

/** Its end is that of the process in the namespace as well. */
async function ended(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  child.ref();
  child.kill("SIGKILL");
  await exited;
}
