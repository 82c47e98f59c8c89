import type { Enforcement, SandboxNeeds } from "@harness/spec";
import { describe, expect, it } from "vitest";
import type { RungReport } from "../rung.js";
import { type ChoiceOptions, chooseRung } from "./choose-rung.js";

const everything = {
  ...{ writes: true, reads: true, metadata: true, protectedPaths: true, egress: "all", unixSockets: true },
  ...{ otherProcesses: true, kernel: true, privateTemp: true, treeKill: "kernel" },
} as const satisfies Partial<Enforcement>;

const withoutNamespaces = {
  ...everything,
  reads: false,
  metadata: false,
  protectedPaths: false,
  treeKill: "walk",
} as const;

type Tried = "works" | "fails" | Partial<Enforcement>;

function report(backend: string, tried: Tried, held: Partial<Enforcement>): RungReport {
  if (tried === "fails")
    return { backend, works: false, problem: `${backend} fails: install it.`, enforces: {}, gaps: [] };
  return { backend, works: true, problem: null, enforces: { ...held, ...(tried === "works" ? {} : tried) }, gaps: [] };
}

function reports(bubblewrap: Tried, namespaces: Tried, landlock: Tried): readonly RungReport[] {
  return [
    report("linux-bubblewrap", bubblewrap, everything),
    report("linux-namespaces", namespaces, everything),
    report("linux-landlock", landlock, withoutNamespaces),
  ];
}

function chosen(tried: readonly RungReport[], egress: SandboxNeeds["egress"], options?: ChoiceOptions): string {
  const choice = chooseRung(tried, { egress }, options);
  return choice.type === "rung" ? choice.backend : choice.type;
}

/** Landlock before its fourth version knows no network. */
const old = { egress: "none" } as const;

describe("the rung that a run gets", () => {
  it.each([
    ["works", "works", "works", "linux-bubblewrap", "linux-bubblewrap"],
    ["works", "fails", "fails", "linux-bubblewrap", "linux-bubblewrap"],
    ["fails", "works", "works", "linux-namespaces", "linux-namespaces"],
    ["fails", "fails", "works", "linux-landlock", "linux-landlock"],
    ["fails", "fails", old, "linux-landlock", "linux-landlock"],
    ["fails", "fails", "fails", "floor", "floor"],
    [old, "fails", "works", "linux-landlock", "linux-bubblewrap"],
    [old, old, old, "linux-bubblewrap", "linux-bubblewrap"],
  ] as const)("where they are %j, %j and %j is %s, and %s with egress open", (one, two, three, deny, allow) => {
    expect(chosen(reports(one, two, three), "deny")).toBe(deny);
    expect(chosen(reports(one, two, three), "allow")).toBe(allow);
  });

  it.each([
    [true, reports("fails", "fails", "works"), "deny", "linux-landlock"],
    [true, reports("fails", "fails", old), "deny", "refused"],
    [true, reports("fails", "fails", old), "allow", "linux-landlock"],
    [true, reports("fails", "fails", "fails"), "allow", "refused"],
    [false, reports("fails", "fails", "fails"), "deny", "floor"],
    [{ writes: true }, reports("fails", "fails", old), "deny", "linux-landlock"],
    [{ treeKill: "kernel" }, reports("fails", "works", "works"), "deny", "linux-namespaces"],
    [{ treeKill: "kernel" }, reports("fails", "fails", "works"), "deny", "refused"],
    [{ unixSockets: true }, reports({ unixSockets: false }, "works", "works"), "deny", "linux-namespaces"],
    [{}, reports("fails", "fails", "fails"), "deny", "floor"],
  ] as const)("with %j required of %# is %s", (required, tried, egress, expected) => {
    expect(chosen(tried, egress, { required })).toBe(expected);
  });

  it.each([
    ["linux-landlock", "works", "linux-landlock"],
    ["linux-landlock", "fails", "refused"],
    ["portable-floor", "works", "floor"],
    ["no-such-backend", "works", "refused"],
  ] as const)("is %s alone when that is asked for and the rest %s: %s", (only, landlock, expected) => {
    expect(chosen(reports("works", "works", landlock), "deny", { only })).toBe(expected);
  });
});

describe("what is said to be missing", () => {
  const missing = (tried: readonly RungReport[], egress: SandboxNeeds["egress"] = "deny") => {
    const choice = chooseRung(tried, { egress });
    return choice.type === "refused" ? [] : choice.missing;
  };

  it("is nothing for the strongest rung without gaps", () => {
    expect(missing(reports("works", "works", "works"))).toEqual([]);
  });

  it("is a rung's gaps, every boundary that it lacks, and why no stronger one is there", () => {
    const [bubblewrap, namespaces, landlock] = reports("fails", "fails", "works") as [
      RungReport,
      RungReport,
      RungReport,
    ];

    expect(missing([{ ...bubblewrap, works: true, problem: null, enforces: everything, gaps: ["A gap."] }])).toEqual([
      "A gap.",
    ]);
    expect(missing([bubblewrap, namespaces, landlock])).toEqual([
      "Commands may read what is to be hidden from them.",
      "Commands may write protected paths in the workspace, such as git's hooks.",
      "Commands may change modes and times of files that they may not write.",
      "A process that a command leaves behind and that hides well may go on.",
      "linux-bubblewrap fails: install it.",
      "linux-namespaces fails: install it.",
    ]);
  });

  it("is everything on the floor, and does not count a network that is to be open", () => {
    expect(missing(reports("fails", "fails", "fails"))).toHaveLength(13);
    expect(missing(reports("fails", "fails", "fails"), "allow")).toHaveLength(12);
  });

  it("names a stronger rung that was passed over", () => {
    expect(missing(reports(old, "works", "works"))).toEqual([
      "linux-bubblewrap was passed over: it does not keep commands from the network.",
    ]);
  });
});

it("says in a refusal what is missing and how to get it", () => {
  const choice = chooseRung(reports("fails", "fails", old), { egress: "deny" }, { required: true });

  expect(choice).toEqual({
    type: "refused",
    reason: expect.stringMatching(
      /^Commands may use the network although it is denied.*linux-bubblewrap fails: install it\./,
    ),
  });
});
