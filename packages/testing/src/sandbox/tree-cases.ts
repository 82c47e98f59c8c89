// Promises about everything that a command starts: when its outcome is known, none of it runs, however the command ended.
// Each process holds a named pipe open that the suite reads; that they all reported proves that they were there.
import { expect } from "vitest";
import { alive, allGone, enoughFor, type Lifeline, lifeline } from "./observe.js";
import { node, sh, stubborn, untilRemoved, waitUntilRemoved } from "./payloads.js";
import { type Case, type Cases, onPosix, type Subject } from "./subject.js";

function tree(prove: (subject: Subject, line: Lifeline) => Promise<void>): Case {
  return onPosix(
    async (subject) => {
      using line = lifeline(subject.folder);
      await prove(subject, line);
    },
    ({ enforces }) => (enforces.treeKill === "none" ? "enforces.treeKill is none" : undefined),
  );
}

// To open the pipe never waits for the suite: a process that a faulty sandbox left over would wait for ever.

/**
 * In Node source, for a pipe in `process.argv[1]`: `report()` holds it, `start(source, options)` starts a process that
 * holds it too, `stay()` keeps this one alive.
 */
const family = `
  const { openSync, writeSync, existsSync, constants } = require("node:fs");
  const { spawn } = require("node:child_process");
  const line = process.argv[1];
  const report = () => writeSync(openSync(line, constants.O_WRONLY | constants.O_NONBLOCK), "x");
  const stay = () => { ${untilRemoved} };
  const start = (body, options = {}) =>
    spawn(process.execPath, ["-e", source + body, line, source], { stdio: "inherit", ...options });
  const source = process.argv[2];
`;

function kin(body: string, line: Lifeline) {
  return node(family + body, line.path, family);
}

/** A parent, a child in its group, and a child of that in a session of its own that ignores SIGTERM. */
const threeGenerations = `
  report();
  start('report(); start(\`${stubborn} report(); stay();\`, { detached: true }); stay();');
  stay();
`;

/** \`sh\` source: a process that holds the pipe "$1" and stays; and its parent's wait for it. */
const holder = `exec 3<>"$1"; printf x >&3; : > up; ${waitUntilRemoved}`;
const untilUp = "until [ -e up ]; do sleep 0.01; done;";

export const treeCases: Cases = {
  "is gone after a timeout, also who left the group and ignores SIGTERM": tree(async (subject, line) => {
    const timeoutMs = await enoughFor(4, subject);
    const [outcome] = await Promise.all([subject.run(kin(threeGenerations, line), { timeoutMs }), alive(line, 3)]);

    expect(outcome).toMatchObject({ stopped: "timeout" });
    await allGone(line, 3);
  }),

  "is gone after cancelling": tree(async ({ run }, line) => {
    const stop = new AbortController();
    const running = run(kin(threeGenerations, line), { signal: stop.signal });
    const [outcome] = await Promise.all([running, alive(line, 3).then(() => stop.abort())]);

    expect(outcome).toMatchObject({ stopped: "cancelled" });
    await allGone(line, 3);
  }),

  "is gone after an ordinary exit, though a child holds the output open": tree(async ({ run }, line) => {
    const outcome = await run(sh(`(${holder}) & ${untilUp} echo done`, line.path));

    expect(outcome).toMatchObject({ exitCode: 0, stopped: null, stdout: { text: "done\n" } });
    await allGone(line, 1);
  }),

  "is gone after an ordinary exit, though a child keeps quiet": tree(async ({ run }, line) => {
    const outcome = await run(sh(`(${holder}) >/dev/null 2>&1 & ${untilUp} exit 5`, line.path));

    expect(outcome).toMatchObject({ exitCode: 5, stopped: null });
    await allGone(line, 1);
  }),

  "is gone after an ordinary exit, though a child ignores SIGTERM": tree(async ({ run }, line) => {
    const outcome = await run(sh(`(trap '' TERM; ${holder}) & ${untilUp} echo done`, line.path));

    expect(outcome).toMatchObject({ exitCode: 0, stdout: { text: "done\n" } });
    await allGone(line, 1);
  }),

  "is gone after an ordinary exit, also a daemon that left group, session and parent": tree(async ({ run }, line) => {
    const daemon = `start('report(); require("node:fs").writeFileSync("up", ""); stay();',
      { detached: true, stdio: "ignore" }); process.exit(0);`;
    const parent = `start(${JSON.stringify(daemon)}, { detached: true, stdio: "ignore" });
      setInterval(() => existsSync("up") && process.exit(0), 10); stay();`;
    const outcome = await run(kin(parent, line));

    expect(outcome).toMatchObject({ exitCode: 0, stopped: null });
    await allGone(line, 1);
  }),

  "is gone after cancelling, though it starts one process after another": tree(async ({ run }, line) => {
    const stop = new AbortController();
    const breeder = `report(); setInterval(() => start('report(); stay();', { detached: true }), 60); stay();`;
    const running = run(kin(breeder, line), { signal: stop.signal });
    const [outcome] = await Promise.all([running, alive(line, 6).then(() => stop.abort())]);

    expect(outcome).toMatchObject({ stopped: "cancelled" });
    await allGone(line, 6);
  }),

  "is gone when a spawned command is killed": tree(async ({ sandbox, folder }, line) => {
    const running = await sandbox.spawn({ argv: kin(threeGenerations, line), cwd: folder });
    await alive(line, 3);
    await running.kill();

    await allGone(line, 3);
    expect(await running.outcome).toMatchObject({ stopped: "cancelled", exitCode: null });
  }),
};
