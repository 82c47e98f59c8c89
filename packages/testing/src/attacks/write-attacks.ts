// Attacks on what may not be written: directly, by way of links and other processes, and by undoing what keeps it read-only.
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Attack, type Attempt, attack } from "./attack.js";
import { claims } from "./claims.js";

const { writes, metadata } = claims;

/** Which of `names` came to be outside. */
function made({ scene }: Attempt, ...names: readonly string[]): string | undefined {
  const found = names.filter((name) => existsSync(join(scene.outside, name)));
  return found.length === 0 ? undefined : `made ${found.join(" and ")} beside the workspace`;
}

function changed({ scene }: Attempt): string | undefined {
  const file = join(scene.outside, "f");
  const text = existsSync(file) ? readFileSync(file, "utf8") : undefined;
  return text === "orig" ? undefined : `a file beside the workspace ${text === undefined ? "is gone" : "was changed"}`;
}

const longAgo = Date.UTC(2010);

export const writeAttacks: readonly Attack[] = [
  attack({
    id: "write-outside",
    title: "write a file beside the workspace and one in the home folder",
    line: `echo x > "$OUT/new"; echo x > "$HOME/.profile-evil"`,
    claims: [writes],
    breach: (attempt) =>
      made(attempt, "new") ??
      (existsSync(join(attempt.scene.home, ".profile-evil")) ? "wrote into the home folder" : undefined),
  }),
  attack({
    id: "write-through-symlink",
    title: "write outside through symbolic links in the workspace",
    line: `ln -s "$OUT" lnk && echo x > lnk/viasym; ln -s "$OUT/f" flnk && echo y > flnk`,
    claims: [writes],
    breach: (attempt) => made(attempt, "viasym") ?? changed(attempt),
  }),
  attack({
    id: "write-through-hard-link",
    title: "write to a file outside through a hard link in the workspace",
    line: `ln "$OUT/f" hl && echo z >> hl`,
    claims: [writes],
    breach: changed,
  }),
  attack({
    id: "rename-and-remove-outside",
    title: "rename a file outside, and remove it",
    line: `mv "$OUT/f" "$OUT/g"; rm -f "$OUT/f" "$OUT/g"`,
    claims: [writes],
    breach: changed,
  }),
  attack({
    id: "change-mode-and-time-outside",
    title: "change the mode and the time of a file outside",
    line: `chmod 777 "$OUT/f"; touch -t 200101010000 "$OUT/f"`,
    claims: [metadata],
    breach({ scene }) {
      const { mode, mtimeMs } = statSync(join(scene.outside, "f"));
      if (mtimeMs < longAgo) return "set the time of a file beside the workspace";
      return (mode & 0o777) === 0o777 ? "set the mode of a file beside the workspace" : undefined;
    },
  }),
  attack({
    id: "write-to-other-mount",
    title: "write to a file system of its own beside the main one",
    line: `echo x > "/dev/shm/$MARK"`,
    claims: [writes],
    needs: ["/dev/shm"],
    breach: ({ scene }) => (existsSync(join("/dev/shm", scene.mark)) ? "wrote to the machine's /dev/shm" : undefined),
  }),
  attack({
    id: "write-through-process-root",
    title: "write outside through the root folder of another process",
    line: `echo x > "/proc/$VICTIM/root$OUT/viaproc"`,
    claims: [writes],
    needs: ["linux"],
    breach: (attempt) => made(attempt, "viaproc"),
  }),
  attack({
    id: "remount-writable",
    title: "make everything writable by a new mount, then write outside",
    // Where nothing is read-only there is nothing to undo: this machine's own mounts stay as they are.
    line: `[ -w "$OUT" ] || mount -o remount,bind,rw /; echo x > "$OUT/remounted"`,
    claims: [writes],
    needs: ["linux", "mount"],
    breach: (attempt) => made(attempt, "remounted"),
  }),
  attack({
    id: "remount-in-namespace",
    title: "become superuser of a namespace of its own, make everything writable there, then write outside",
    line: `unshare -Urm sh -c 'mount -o remount,bind,rw /; echo x > "$OUT/nested"'`,
    claims: [writes],
    needs: ["linux", "unshare", "mount"],
    breach: (attempt) => made(attempt, "nested"),
  }),
];
