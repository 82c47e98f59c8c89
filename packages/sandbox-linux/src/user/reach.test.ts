import { chmodSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { testFolder } from "../test-folder.js";
import { reachable, reachOf } from "./reach.js";
import { runAsOf } from "./run-as.js";

const stranger = { uid: 54_321, groups: [54_321] };
const self = { uid: process.getuid?.() ?? 0, groups: process.getgroups?.() ?? [] };

/** A folder in which one is open to everyone and one to its owner. */
function furnished() {
  const folder = testFolder(tmpdir());
  chmodSync(folder.path, 0o755);
  for (const name of ["open", "closed"]) mkdirSync(join(folder.path, name, "inside"), { recursive: true });
  chmodSync(join(folder.path, "open"), 0o755);
  chmodSync(join(folder.path, "closed"), 0o700);
  return folder;
}

describe.skipIf(process.platform === "win32")("who gets to a place", () => {
  it("is whom every folder above it lets through", () => {
    using folder = furnished();
    const paths = ["open/inside", "closed", "closed/inside"].map((name) => join(folder.path, name));

    expect(paths.map(reachOf(stranger))).toEqual([true, true, false]);
    expect(paths.map(reachOf(self))).toEqual([true, true, true]);
    expect(reachOf(stranger)(join(folder.path, "absent", "inside"))).toBe(false);
  });

  it("decides which places are put in front of a command", () => {
    using folder = furnished();
    const [open, closed] = ["open", "closed"].map((name) => join(folder.path, name, "inside")) as [string, string];
    const all = [open, closed];
    const hidden = all.map((path) => ({ path, isFolder: true }));
    const places = { writable: all, pinned: all, protected: all, hidden, warnings: ["kept"] };

    expect(reachable(places, reachOf(stranger))).toEqual({
      ...{ writable: [open], pinned: [open], protected: [open], warnings: ["kept"] },
      hidden: [{ path: open, isFolder: true }],
    });
  });

  it("stays who it is where the harness is nobody's root, or the workspace is root's", () => {
    using folder = furnished();

    expect(runAsOf(folder.path, 1000)).toBeUndefined();
    expect(runAsOf("/", 0)).toBeUndefined();
  });
});
