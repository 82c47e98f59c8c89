// Mounts that an attack left below its scene. Only the superuser's attacks can, so only the superuser has some to take away.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** The mount points below `folder` that this process sees. */
function mountsBelow(folder: string): readonly string[] {
  if (process.platform !== "linux") return [];
  const points = readFileSync("/proc/self/mountinfo", "utf8")
    .split("\n")
    .map((line) =>
      (line.split(" ")[4] ?? "").replace(/\\([0-7]{3})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 8))),
    );
  return points.filter((point) => point.startsWith(`${folder}/`));
}

/** Removing the folder without this would remove what is mounted there. */
export function takeAwayMounts(folder: string): void {
  for (const point of mountsBelow(folder).toReversed()) execFileSync("umount", ["-l", point]);
}
