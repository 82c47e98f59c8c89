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
  readonly writes: boolean;
  readonly reads: boolean;
  readonly egress: "none" | "advisory" | "port" | "host";
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

export type ExecMode = "read-only" | "workspace-write" | "full-access";

export interface SandboxCommand {
  /** Program first. A list all the way down: no shell ever reads it. */
  readonly argv: readonly [string, ...string[]];
  /** Absolute and existing. */
  readonly cwd: string;
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
  /** Absolute, existing, beside `cwd`. */
  readonly writableRoots?: readonly string[];
  readonly protectedPaths?: readonly string[];
  readonly hiddenPaths?: readonly string[];
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

export interface Sandbox {
  readonly spec: 1;
  readonly backend: Backend;
  readonly enforces: Enforcement;
  /** Resolves for a command that ran, however it ended. Rejects with `SandboxError` when it never ran. */
  run(command: SandboxCommand): Promise<SandboxOutcome>;
  /** Rejects likewise. */
  spawn(command: SandboxCommand): Promise<SandboxProcess>;
}
