// Promises about all caps beyond wall clock and output. Where a sandbox says that it holds one, it is tried; where it says
// that it does not, asking for it changes nothing and it is never named.
import type { SandboxLimits } from "@harness/spec";
import { expect } from "vitest";
import { burn, hoard, mebibyte, patient } from "./cap-payloads.js";
import { node, sh, stay, untilRemoved } from "./payloads.js";
import { always, type Case, type Cases, type Facts, onPosix } from "./subject.js";

/** Every cap that is not wall clock or output, set so low that a Node program is over it. */
const unbearable: SandboxLimits = {
  maxCpuMs: 1,
  maxMemoryBytes: 1024,
  maxProcesses: 1,
  maxOpenFiles: 1,
  maxFileBytes: 1,
  maxTempBytes: 1,
};

/** Every cap, far above what the payloads here use. */
const roomy: SandboxLimits = {
  maxCpuMs: 60_000,
  maxMemoryBytes: 1024 * mebibyte,
  maxProcesses: 1_000,
  maxOpenFiles: 1_000,
  maxFileBytes: 64 * mebibyte,
  maxTempBytes: 64 * mebibyte,
};

const holdsAny = ({ enforces }: Facts) => {
  const { cpu, memory, processes, openFiles, fileSize, temp } = enforces;
  return cpu !== "none" || memory !== "none" || processes || openFiles || fileSize || temp;
};

const withoutCpu: Case["unless"] = ({ enforces }) => (enforces.cpu === "none" ? "enforces.cpu is none" : undefined);

export const capCases: Cases = {
  "runs a command whose caps it does not hold, and names none of them": {
    unless: (facts) => (holdsAny(facts) ? "some of these caps are enforced" : undefined),
    prove: async ({ run, written }) => {
      const outcome = await run(node(`require("fs").writeFileSync("made", "more than a byte")`), {
        limits: unbearable,
      });

      expect(outcome).toMatchObject({ exitCode: 0, signal: null, capHit: null, stopped: null });
      expect(await written("made")).toBe("more than a byte");
    },
  },

  "does not start for a cap that is no number": always(async ({ run, written }) => {
    for (const limit of [Number.NaN, -1]) {
      const limits = { maxWallMs: limit, maxOutputBytes: limit };
      await expect(run(node(`require("fs").writeFileSync("made", "")`), { limits })).rejects.toMatchObject({
        code: "sandbox-failed",
      });
    }
    expect(await written("made")).toBeUndefined();
  }),

  "does not end a command that stays within its caps": always(async ({ run, written }) => {
    const source = `require("fs").writeFileSync("made", "x".repeat(${mebibyte})); console.log("done");`;
    const outcome = await run(node(source), { ...patient, limits: roomy });

    expect(outcome).toMatchObject({ exitCode: 0, capHit: null, stopped: null, stdout: { text: "done\n" } });
    expect(await written("made")).toHaveLength(mebibyte);
  }),

  "does not take an exit code for a cap, whatever a shell would mean by it": onPosix(async ({ run }) => {
    for (const code of [126, 127, 137, 152, 153]) {
      const outcome = await run(sh(`exit ${code}`), { ...patient, limits: roomy });

      expect(outcome).toMatchObject({ exitCode: code, signal: null, capHit: null, stopped: null });
    }
  }),

  "hands over arguments and streams as they are, also with caps": onPosix(async ({ run }) => {
    const source = `printf '%s|' "$@"; cat; echo err >&2; exit 3`;
    const outcome = await run(sh(source, "a;b", "", "$(id)", "--", "-x"), { limits: roomy, stdin: "in" });

    expect(outcome).toMatchObject({ exitCode: 3, stdout: { text: "a;b||$(id)|--|-x|in" }, stderr: { text: "err\n" } });
  }),

  "says of what cannot be started the same with caps and without": onPosix(async ({ run }) => {
    await run(sh(`echo exit > plain; printf '#!/no/such/interpreter\\n' > lost; chmod +x lost`));
    const refusal = (argv: [string], limits?: SandboxLimits) =>
      run(argv, limits && { limits }).then(
        () => "started",
        ({ kind, message }) => `${kind}: ${message}`,
      );

    for (const program of ["harness-no-such-program", "./harness-no-such-program", "./plain", "./lost"]) {
      const without = await refusal([program]);
      expect(without).toMatch(/^(unavailable|spawn-failed|wrapper-failed): /);
      expect(await refusal([program], roomy)).toBe(without);
    }
  }),

  "holds no command to the caps of another": {
    unless: withoutCpu,
    prove: async ({ run }) => {
      const brief = `const end = Date.now() + 400; while (Date.now() < end); console.log("done");`;
      const [ended, whole] = await Promise.all([
        run(node(burn), { ...patient, limits: { maxCpuMs: 200 } }),
        run(node(brief), patient),
      ]);
      const later = await run(node(brief), patient);

      expect(ended).toMatchObject({ capHit: "cpu", exitCode: null });
      expect(whole).toMatchObject({ capHit: null, exitCode: 0 });
      expect(later).toMatchObject({ capHit: null, exitCode: 0 });
    },
  },

  "tells apart which of two commands went over which cap": {
    unless: ({ enforces }) =>
      enforces.cpu === "none" || enforces.memory === "none" ? "enforces.cpu or enforces.memory is none" : undefined,
    prove: async ({ run }) => {
      const stop = new AbortController();
      const innocent = run(stay(), { limits: roomy, signal: stop.signal });
      const [cpu, memory] = await Promise.all([
        run(node(burn), { ...patient, limits: { maxCpuMs: 500 } }),
        run(node(hoard(160)), { ...patient, limits: { maxMemoryBytes: 128 * mebibyte } }),
      ]).finally(() => stop.abort());

      expect(cpu).toMatchObject({ capHit: "cpu", stopped: null, exitCode: null });
      expect(memory).toMatchObject({ capHit: "memory", stopped: null, exitCode: null });
      expect(await innocent).toMatchObject({ capHit: null, stopped: "cancelled" });
    },
  },

  "names what came first of a cancelling and a cap": {
    unless: withoutCpu,
    prove: async ({ run }) => {
      const stop = new AbortController();
      // Within its caps until it is told to end, and busy from then on.
      const provoked = `process.on("SIGTERM", () => { ${burn} }); console.log("ready"); ${untilRemoved}`;
      const outcome = await run(node(provoked), {
        limits: { maxCpuMs: 700 },
        signal: stop.signal,
        onOutput: () => stop.abort(),
      });

      expect(outcome).toMatchObject({ stopped: "cancelled", capHit: null, exitCode: null });
    },
  },
};
