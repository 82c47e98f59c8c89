// The port that every command goes through. A sandbox reports what it applied, never what it was asked for.

/** What really isolates. An open list, so that others may publish backends of their own. */
export type Backend =
  | "portable-floor"
  | "linux-bubblewrap"
  | "linux-namespaces"
  | "linux-landlock"
  | "macos-sandbox-exec"
  | "windows-job-object"
  | "windows-appcontainer"
  | (string & {});

/** Which boundaries and caps are real here. A caller may refuse to start on the strength of it. */
export interface Enforcement {
  /** Contents are written below the roots only. */
  readonly writes: boolean;
  /** What is to be hidden cannot be read. */
  readonly reads: boolean;
  /** Modes, times and names of what may not be written stay as they are, too. */
  readonly metadata: boolean;
  /** Protected paths stay as they are inside a folder that may be written, also when a folder above them is moved. */
  readonly protectedPaths: boolean;
  /** `all`: open or closed. `port` and `host`: so much of it can be told apart. */
  readonly egress: "none" | "advisory" | "all" | "port" | "host";
  /** No socket of the host's can be reached: agents, container daemons, the desktop. */
  readonly unixSockets: boolean;
  /** Processes that the command did not start can be neither seen, signalled nor traced. */
  readonly otherProcesses: boolean;
  /** Mounts, namespaces, devices, tracing and settings of the kernel are out of reach, and no privilege can be gained. */
  readonly kernel: boolean;
  /** The temporary folder is the command's own and gone with it. */
  readonly privateTemp: boolean;
  readonly wall: boolean;
  readonly output: boolean;
  readonly cpu: "none" | "process" | "tree";
  readonly memory: "none" | "poll" | "kernel";
  readonly processes: boolean;
  readonly openFiles: boolean;
  readonly fileSize: boolean;
  /** The size of a temporary folder of the command's own. */
  readonly temp: boolean;
  /** `kernel`: nothing can outlive the command. `walk`: descendants are looked for and killed; one that hides well may survive. */
  readonly treeKill: "kernel" | "walk" | "none";
}

export type Cap = "wall" | "output" | "cpu" | "memory" | "processes" | "open-files" | "file-size" | "temp";

/** Absent means no cap. A command over a cap is killed with everything it started. */
export interface SandboxLimits {
  readonly maxWallMs?: number;
  /** Bytes per stream. */
  readonly maxOutputBytes?: number;
  readonly maxCpuMs?: number;
  /** Resident memory of the whole tree. */
  readonly maxMemoryBytes?: number;
  readonly maxProcesses?: number;
  readonly maxOpenFiles?: number;
  readonly maxFileBytes?: number;
  readonly maxTempBytes?: number;
}

/**
 * Where a command may write, narrowest first: its temporary folder; also the workspace and the caches of toolchains; wherever
 * the embedding user may. The mode decides neither caps nor egress.
 */
export type ExecMode = "read-only" | "workspace-write" | "full-access";

const breadth: Readonly<Record<ExecMode, number>> = { "read-only": 0, "workspace-write": 1, "full-access": 2 };

/** The one of two modes that lets a command write less. */
export function narrower(one: ExecMode, other: ExecMode): ExecMode {
  return breadth[one] <= breadth[other] ? one : other;
}

/** True when a command that needs `need` can do its work under `grant`. */
export function isSatisfiedBy(need: ExecMode, grant: ExecMode): boolean {
  return breadth[need] <= breadth[grant];
}

export interface SandboxCommand {
  /** Program first. A list all the way down: no shell ever reads it. */
  readonly argv: readonly [string, ...string[]];
  /** Absolute and existing. */
  readonly cwd: string;
  /** The folder that `workspace-write` lets it write, absolute and existing, with `cwd` in it. Default: `cwd`. */
  readonly workspace?: string;
  /** Variables on top of the sandbox's own allow-listed ones. */
  readonly env?: Readonly<Record<string, string>>;
  /** Names to pass on from the embedding process, on top of the allow list. */
  readonly inherit?: readonly string[];
  /** What the command reads; absent closes its standard input at once. */
  readonly stdin?: string | Uint8Array;
  readonly limits?: SandboxLimits;
  /** Default `workspace-write`. */
  readonly mode?: ExecMode;
  /** Default `deny`. A backend that cannot stop it says so in `enforces.egress`. */
  readonly egress?: "deny" | "allow";
  /** Absolute, beside the workspace. One that is not there is left out. */
  readonly writableRoots?: readonly string[];
  /** Absolute. Not to be written, also inside what may be; on top of what the backend protects by itself. */
  readonly protectedPaths?: readonly string[];
  /** Absolute. Not to be read; on top of what the backend hides by itself. */
  readonly hiddenPaths?: readonly string[];
  /**
   * Whether a rule denies `act` on `path`, which is relative to the workspace and has `/`. A backend that can asks it of what is
   * there when the command starts: what may not be read is hidden, what may not be written is protected.
   */
  readonly isDenied?: (act: "read" | "write", path: string) => boolean;
  /** "It never came back", as opposed to `limits.maxWallMs`, "it used what it may". */
  readonly timeoutMs?: number;
  /** Kills the whole tree; the promise settles after it is gone. */
  readonly signal?: AbortSignal;
  /** Live output, decoded, for whoever watches. */
  readonly onOutput?: (stream: "stdout" | "stderr", text: string) => void;
}

export interface Captured {
  /** UTF-8, invalid bytes replaced. Head and tail when `elidedBytes` is not 0, with a line between them that says so. */
  readonly text: string;
  readonly elidedBytes: number;
}

export interface SandboxOutcome {
  readonly backend: Backend;
  readonly argv: readonly string[];
  /** `null` when it did not exit by itself. */
  readonly exitCode: number | null;
  /** `SIGKILL` and the like, `null` when it exited. */
  readonly signal: string | null;
  readonly capHit: Cap | null;
  /** Who ended it, when it was not a cap and not the command itself. */
  readonly stopped: "timeout" | "cancelled" | null;
  readonly stdout: Captured;
  readonly stderr: Captured;
  readonly wallMs: number;
  /** Protected paths that were not there before and that the command made: removed again. Absolute. */
  readonly undone?: readonly string[];
  /** What could not be held for this command, or may have been left behind: a sentence each. */
  readonly warnings?: readonly string[];
}

/** A command with a longer life: a dev server, a watcher. */
export interface SandboxProcess {
  readonly backend: Backend;
  /** What was printed since the last call, at most 64 KiB a stream: the newest window, the gap counted. */
  take(): { readonly stdout: Captured; readonly stderr: Captured };
  /** Settles when the command has ended and nothing it started is left that the backend can find. */
  readonly outcome: Promise<SandboxOutcome>;
  /** Ends the whole tree. Safe to call at any time, and twice. */
  kill(): Promise<void>;
}

/** How a run's commands are held: what applies, and what does not. */
export interface Containment {
  readonly mode: ExecMode;
  readonly egress: "deny" | "allow";
  /** Writable beside the workspace. */
  readonly roots: readonly string[];
  /** What is weaker here than it could be, why, and what would help: a sentence each. Empty for the strongest backend. */
  readonly missing: readonly string[];
}

/** What a run asks of its sandbox. */
export interface SandboxNeeds extends Pick<Containment, "mode" | "egress"> {
  /** Absolute, resolved. */
  readonly workspace: string;
}

/** Makes the sandbox of one run. Rejects with `SandboxError` `requirement-unmet` when it cannot be had. */
export type SandboxSource = (needs: SandboxNeeds) => Sandbox | Promise<Sandbox>;

export interface Sandbox {
  readonly spec: 1;
  readonly backend: Backend;
  readonly enforces: Enforcement;
  /** Absent: no roots, and nothing to say. */
  readonly boundary?: Pick<Containment, "roots" | "missing">;
  /** Resolves for a command that ran, however it ended. Rejects with `SandboxError` when it never ran. */
  run(command: SandboxCommand): Promise<SandboxOutcome>;
  /** Rejects likewise. */
  spawn(command: SandboxCommand): Promise<SandboxProcess>;
  /** Lets go of what commands shared. May be called twice. A sandbox without it holds nothing. */
  close?(): Promise<void>;
}
