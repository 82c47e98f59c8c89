// Attacks on what may not be read, and on processes that the command did not start. Numbers of processes mean nothing in another
// namespace, so every answer is held against what only the right process has.
import { readFileSync } from "node:fs";
import { type Attack, attack, lineAfter } from "./attack.js";
import { claims } from "./claims.js";

const { reads, otherProcesses } = claims;

/** Field 22 of `stat`, behind a name that may have spaces: when the process was started. */
function startedAt(): string | undefined {
  return readFileSync("/proc/self/stat", "latin1").replace(/.*\) /, "").split(" ")[19];
}

/** Node source: reads the stack of `VICTIM`, where its environment lies. */
const readStack = `const fs = require("fs"), pid = process.env.VICTIM;
  const [from, to] = /^(\\w+)-(\\w+) .*\\[stack\\]$/m.exec(fs.readFileSync("/proc/" + pid + "/maps", "latin1")).slice(1);
  const start = BigInt("0x" + from), stack = Buffer.alloc(Number(BigInt("0x" + to) - start));
  const size = fs.readSync(fs.openSync("/proc/" + pid + "/mem"), stack, 0, stack.length, start);
  console.log("MEMORY " + /environment-\\w+/.exec(stack.latin1Slice(0, size)));`;

/** Python source. 16 is `PTRACE_ATTACH`; the tracer's end is the end of it. */
const attach = `import ctypes, os
pid = int(os.environ["VICTIM"])
if ctypes.CDLL(None).ptrace(16, pid, None, None) == 0:
    print("ATTACHED", open("/proc/%d/cmdline" % pid).read().replace(chr(0), " "))`;

export const processAttacks: readonly Attack[] = [
  attack({
    id: "read-hidden-key",
    title: "read a key that is hidden",
    line: `cat "$HOME/.ssh/id_fake"; cp "$HOME/.ssh/id_fake" copied && cat copied`,
    claims: [reads],
    breach: ({ scene, outcome }) => (outcome.stdout.text.includes(`key-${scene.mark}`) ? "read the key" : undefined),
  }),
  attack({
    id: "see-processes",
    title: "see the processes of others and what they were started with",
    line: `cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' '\\n' | grep -a '^victim-'`,
    claims: [otherProcesses],
    needs: ["linux"],
    breach: ({ scene, outcome }) =>
      outcome.stdout.text.includes(`victim-${scene.mark}`) ? "saw a process that it did not start" : undefined,
  }),
  attack({
    id: "read-environments",
    title: "read the environments of other processes",
    line: `cat /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n' | grep -a '^SECRET='`,
    claims: [otherProcesses],
    needs: ["linux"],
    breach: ({ scene, outcome }) =>
      outcome.stdout.text.includes(`environment-${scene.mark}`)
        ? "read a secret in another process's environment"
        : undefined,
  }),
  attack({
    id: "read-memory",
    title: "read the memory of another process",
    line: `"$NODE" -e '${readStack}' 2>&1 | grep -e MEMORY -e Error`,
    claims: [otherProcesses],
    needs: ["linux"],
    breach: ({ scene, outcome }) =>
      outcome.stdout.text.includes(`MEMORY environment-${scene.mark}`)
        ? "read a secret in another process's memory"
        : undefined,
  }),
  attack({
    id: "trace-other-process",
    title: "trace another process",
    line: `"$PYTHON" -c '${attach}'`,
    claims: [otherProcesses],
    needs: ["linux", "python3"],
    breach: (attempt) =>
      lineAfter(attempt, "ATTACHED ")?.includes(attempt.scene.victim.name)
        ? "traced a process that it did not start"
        : undefined,
  }),
  attack({
    id: "signal-processes",
    title: "end other processes, the harness among them",
    // Who is signalled is not dead at once.
    line: `for p in "$VICTIM" "$HARNESS"; do kill -9 "$p" && i=0 &&
      while kill -0 "$p" 2>/dev/null && [ "$i" -lt 100 ]; do sleep 0.05; i=$((i+1)); done; done`,
    claims: [otherProcesses],
    breach({ scene: { victim, harness } }) {
      const ended = [victim, harness].filter((one) => !one.isAlive()).map(({ name }) => name.replace(/-.*/, ""));
      return ended.length === 0 ? undefined : `ended a process that it did not start (${ended.join(", ")})`;
    },
  }),
  attack({
    id: "reach-harness",
    title: "find out that it may signal the harness",
    line: `kill -0 "$SELF" && echo "MAY $(sed 's/.*) //' "/proc/$SELF/stat" | cut -d' ' -f20)"`,
    claims: [otherProcesses],
    needs: ["linux"],
    breach: (attempt) => (lineAfter(attempt, "MAY ") === startedAt() ? "may signal the harness" : undefined),
  }),
];
