// Attacks on what comes after the command, or was there before it: who outlives it, what it plants, what it is handed by mistake.
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until, watchPipe } from "../sandbox/observe.js";
import { type Attack, attack } from "./attack.js";
import { claims } from "./claims.js";

const { privateTemp, treeKill } = claims;

/** Leaves group, session, parent and environment, holds the pipe, waits half a minute at most for `go`, and writes `late`. */
const daemon = `mkfifo line; (env -i PATH="$PATH" setsid sh -c '(exec 9<>line; : > up; i=0
  until [ -e go ] || [ ! -e "$PWD/." ] || [ "$i" -gt 300 ]; do sleep 0.1; i=$((i+1)); done; [ -e go ] && echo x > late) &
  ' </dev/null >/dev/null 2>&1 &); until [ -e up ]; do sleep 0.02; done`;

const terminal = `for d in 0 1 2; do [ -t "$d" ] && echo "TERMINAL $d"; done
(: <>/dev/tty) 2>/dev/null && echo "TERMINAL /dev/tty"; cat; echo END-OF-INPUT`;

const descriptors = `for d in /dev/fd/*; do n=\${d##*/}
  [ "$n" -gt 2 ] 2>/dev/null && t=$(readlink "$d") && echo "OPEN $n $t"; done`;

export const leftoverAttacks: readonly Attack[] = [
  attack({
    id: "outlive-as-daemon",
    title: "leave a process behind that hides, and have it write later",
    line: daemon,
    // To look at a command for its caps may be what finds such a process.
    limits: {},
    claims: [treeKill],
    needs: ["setsid", "mkfifo"],
    async breach({ scene: { workspace } }) {
      using pipe = watchPipe(join(workspace, "line"));
      if (!pipe.isHeld()) return undefined;
      writeFileSync(join(workspace, "go"), "");
      await until("the process that outlived its command ended", () => !pipe.isHeld());
      return existsSync(join(workspace, "late")) ? "wrote a file after its end" : undefined;
    },
  }),
  attack({
    id: "plant-in-temporary-folder",
    title: "plant a file in the temporary folders that all share",
    line: `echo evil > "/tmp/$MARK"; echo evil > "/var/tmp/$MARK"`,
    claims: [privateTemp],
    breach({ scene }) {
      const found = ["/tmp", "/var/tmp"].filter((folder) => existsSync(join(folder, scene.mark)));
      return found.length === 0 ? undefined : `planted a file in ${found.join(" and ")}`;
    },
  }),
  attack({
    id: "use-terminal",
    title: "write to the user's terminal, or wait for what is typed there",
    line: terminal,
    claims: [],
    mayBeCutShort: true,
    timeoutMs: 5_000,
    breach({ outcome: { stdout } }) {
      if (stdout.text.includes("TERMINAL")) return "has a terminal";
      return stdout.text.includes("END-OF-INPUT") ? undefined : "its input did not end";
    },
  }),
  attack({
    id: "use-inherited-descriptors",
    title: "use what the harness has open",
    line: descriptors,
    claims: [],
    needs: ["linux"],
    breach: ({ outcome }) => {
      const open = [...outcome.stdout.text.matchAll(/^OPEN (.*)$/gm)].map(([, what = ""]) => what);
      // The null device is what a sandbox puts in the place of a descriptor that it cannot close.
      const strange = open.find((what) => !what.endsWith(" /dev/null"));
      return strange && `was handed the descriptor ${strange}`;
    },
  }),
];
