// The small decisions around bubblewrap that need nothing of this machine.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RungRequest } from "../rung.js";
import { passwdEntry } from "../user/run-as.js";
import { explain } from "./explain.js";
import { featuresOf } from "./features.js";
import { hardLimit, processLimit } from "./process-limit.js";
import { bubblewrapStatus } from "./status.js";

describe("bubblewrap's status", () => {
  const first = '{ "child-pid": 4711, "mnt-namespace": 4026532178 }\n';

  it("names the first process at once, and says that the command has run when there is an exit code", () => {
    expect(bubblewrapStatus(first)).toEqual({ init: 4711, hasRun: false });
    expect(bubblewrapStatus(`${first}{ "exit-code": 0 }\n`)).toEqual({ init: 4711, hasRun: true });
  });

  it("believes nothing that has not come whole, and nothing that cannot be a process", () => {
    expect(bubblewrapStatus(first.slice(0, 16))).toEqual({ hasRun: false });
    for (const pid of ["1", "0", "-7", "1.5", '"7"', "null"]) {
      expect(bubblewrapStatus(`{ "child-pid": ${pid} }\n`)).toEqual({ hasRun: false });
    }
  });

  it("does not throw, whatever it is told", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.json(), fc.string())), (lines) => {
        const { hasRun, init } = bubblewrapStatus(lines.join("\n"));
        expect(typeof hasRun).toBe("boolean");
        expect(init === undefined || init > 1).toBe(true);
      }),
    );
  });
});

it("reads from bubblewrap's help what it can do, and takes no word in a description for an option", () => {
  const help = "usage: bwrap\n    --size BYTES   Set size\n    --bind SRC DEST   unlike --disable-userns\n";

  expect(featuresOf(help)).toEqual({ size: true, disableUserns: false });
  expect(featuresOf(`${help}    --disable-userns   Disable\n`).disableUserns).toBe(true);
});

describe("an explanation", () => {
  const settings = (values: Readonly<Record<string, string>>) => (path: string) => values[path];
  const refused = "bwrap: Creating new namespace failed: Operation not permitted\n";

  it.each([
    [refused, { "/proc/sys/user/max_user_namespaces": "0" }, "user.max_user_namespaces"],
    [refused, { "/proc/sys/kernel/unprivileged_userns_clone": "0" }, "kernel.unprivileged_userns_clone"],
    [
      "bwrap: setting up uid map: Permission denied",
      { "/proc/sys/kernel/apparmor_restrict_unprivileged_userns": "1" },
      "kernel.apparmor_restrict_unprivileged_userns",
    ],
    [refused, {}, "--security-opt seccomp=unconfined"],
    ["bwrap: Can't mount proc on /newroot/proc: Operation not permitted", {}, "--security-opt systempaths=unconfined"],
    ["bwrap: Unknown option --size", {}, "Install a newer bubblewrap"],
    ["bwrap: out of luck", {}, "run it by hand"],
    ["", {}, "it said nothing"],
  ])("of %j with %j names what would help", (complaint, values, advice) => {
    const sentence = explain(complaint, settings(values));

    expect(sentence).toContain(advice);
    expect(sentence).toMatch(/^bubblewrap .*\.$/);
  });
});

describe("the kernel's bound on processes", () => {
  const request = (maxProcesses: number | undefined, uid: number) =>
    ({
      command: { argv: ["true"], cwd: "/", limits: maxProcesses === undefined ? {} : { maxProcesses } },
      user: { uid, gid: uid, variables: {} },
    }) as unknown as RungRequest;

  it("stands above the cap, which counts no threads", () => {
    expect(processLimit(request(64, 1000), { prlimit: "/usr/bin/prlimit" })).toEqual([
      "/usr/bin/prlimit",
      "--nproc=320:320",
      "--",
    ]);
  });

  it("is left out for root, without a cap, without the program, and for a cap without an end", () => {
    const prlimit = "/usr/bin/prlimit";

    expect(processLimit(request(64, 0), { prlimit })).toEqual([]);
    expect(processLimit(request(undefined, 1000), { prlimit })).toEqual([]);
    expect(processLimit(request(64, 1000), { prlimit: undefined })).toEqual([]);
    expect(processLimit(request(Number.POSITIVE_INFINITY, 1000), { prlimit })).toEqual([]);
  });

  it("reads what holds already", () => {
    expect(hardLimit("Max cpu time   unlimited  unlimited seconds\nMax processes   100  200  processes\n")).toBe(200);
    expect(hardLimit("Max processes   unlimited  unlimited  processes\n")).toBe(Number.POSITIVE_INFINITY);
    expect(hardLimit("")).toBe(Number.POSITIVE_INFINITY);
  });
});

it("finds a user's name and home by number, and nothing in lines that are none", () => {
  const text =
    "root:x:0:0:root:/root:/bin/sh\n# ann\nann:x:1000:1000:Ann:/home/ann:/bin/sh\nbad:x:1001\nrel:x:1002:1:x:home:\n";

  expect(passwdEntry(text, 1000)).toEqual({ name: "ann", home: "/home/ann" });
  expect([1001, 1002, 7].map((uid) => passwdEntry(text, uid))).toEqual([undefined, undefined, undefined]);
});
