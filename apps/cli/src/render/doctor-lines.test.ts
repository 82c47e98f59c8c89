import { describe, expect, it } from "vitest";
import type { Section } from "../doctor/check.js";
import { doctorLines, doctorObject, isReady } from "./doctor-lines.js";
import { plain } from "./paint.js";

const fine: Section = {
  title: "Node",
  findings: [
    { status: "ok", name: "version", text: "v20.20.0" },
    { status: "plain", name: "system", text: "linux" },
  ],
  facts: { version: "v20.20.0" },
};
const open: Section = {
  title: "Sandbox",
  findings: [{ status: "note", name: "writes", text: "not confined" }],
  facts: { writes: false },
};
const broken: Section = {
  title: "Store",
  findings: [{ status: "problem", name: "access", text: "It is\x1b[2J full.", advice: "Make room." }],
  facts: { reason: "full" },
};
const look = { paint: plain, columns: Number.POSITIVE_INFINITY };

describe("the doctor's screen", () => {
  it("ends with the answer when nothing is missing; what is worth knowing is no problem", () => {
    expect(doctorLines([fine, open], look)).toEqual([
      "Node",
      "  ✓ version      v20.20.0",
      "  · system       linux",
      "",
      "Sandbox",
      "  ! writes       not confined",
      "",
      "Everything needed is here.",
    ]);
    expect(isReady([fine, open])).toBe(true);
  });

  it("ends with what is wrong and what to do about each", () => {
    expect(doctorLines([broken], look)).toEqual([
      "Store",
      "  ✗ access       It is full.",
      "",
      "One thing is wrong:",
      "  Store, access: It is full. Make room.",
    ]);
    expect(doctorLines([broken, fine, broken], look)).toContain("2 things are wrong:");
    expect(isReady([fine, broken])).toBe(false);
  });

  it("breaks lines between words under themselves", () => {
    expect(doctorLines([broken], { ...look, columns: 26 })).toEqual([
      "Store",
      "  ✗ access       It is",
      "                 full.",
      "",
      "One thing is wrong:",
      "  Store, access: It is",
      "    full. Make room.",
    ]);
  });

  it("is for programs one object: the answer, the problems, and the facts by section", () => {
    expect(doctorObject([fine, broken])).toEqual({
      isReady: false,
      problems: ["Store, access: It is\x1b[2J full. Make room."],
      node: { version: "v20.20.0" },
      store: { reason: "full" },
    });
  });
});
