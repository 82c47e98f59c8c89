// From what a sandbox says that it enforces to what that promises.
import type { Enforcement } from "@harness/spec";

export interface Claim {
  readonly field: keyof Enforcement;
  holds(enforces: Enforcement): boolean;
}

type Flag = { [Key in keyof Enforcement]: Enforcement[Key] extends boolean ? Key : never }[keyof Enforcement];

const flag = (field: Flag): Claim => ({ field, holds: (enforces) => enforces[field] });

export const claims = {
  writes: flag("writes"),
  reads: flag("reads"),
  metadata: flag("metadata"),
  protectedPaths: flag("protectedPaths"),
  unixSockets: flag("unixSockets"),
  otherProcesses: flag("otherProcesses"),
  kernel: flag("kernel"),
  privateTemp: flag("privateTemp"),
  temp: flag("temp"),
  processes: flag("processes"),
  fileSize: flag("fileSize"),
  egress: { field: "egress", holds: ({ egress }) => egress !== "none" && egress !== "advisory" },
  cpu: { field: "cpu", holds: ({ cpu }) => cpu !== "none" },
  treeCpu: { field: "cpu", holds: ({ cpu }) => cpu === "tree" },
  memory: { field: "memory", holds: ({ memory }) => memory !== "none" },
  treeKill: { field: "treeKill", holds: ({ treeKill }) => treeKill === "kernel" },
} as const satisfies Readonly<Record<string, Claim>>;
