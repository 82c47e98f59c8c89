// Core is read in one direction. Each room may import the rooms in its row, which all lie behind it, and never back.
import { describe, expect, it } from "vitest";
import { filesUnder, importsOf, isTest, resolveImport } from "./repository.js";

/** They import no room. */
const leaves = ["contract", "outcome", "events", "store", "time"];

/** From the front to the back: a room's row names only rooms further down. */
const rooms: Readonly<Record<string, readonly string[]>> = {
  run: ["loop", "step", "tools", "gate", "boundary", ...leaves],
  loop: ["step", "tools", "gate", "boundary", ...leaves],
  step: ["tools", "boundary", ...leaves],
  tools: ["boundary", ...leaves],
  gate: ["boundary", ...leaves],
  boundary: leaves,
  ...Object.fromEntries(leaves.map((leaf) => [leaf, []])),
};

/** Files that stand before the first room and open it. */
const doors = new Set(["index", "run", "start", "resume"]);

const src = "packages/core/src/";
const files = filesUnder("packages/core/src").filter((file) => file.endsWith(".ts") && !isTest(file));

/** The room of a file, `undefined` for one that stands directly in src. */
function roomOf(file: string): string | undefined {
  const [room, ...rest] = file.slice(src.length).split("/");
  return rest.length > 0 ? room : undefined;
}

describe("the rooms of core", () => {
  it("are those in the table", () => {
    const known = new Set(Object.keys(rooms));
    const found = new Set(files.flatMap((file) => roomOf(file) ?? []));

    expect([...found].filter((room) => !known.has(room))).toEqual([]);
  });

  it("stand in one order", () => {
    const order = Object.keys(rooms);
    const backwards = Object.entries(rooms).flatMap(([room, behind]) =>
      behind.filter((other) => order.indexOf(other) <= order.indexOf(room)).map((other) => `${room} → ${other}`),
    );

    expect(backwards).toEqual([]);
  });

  it("import forwards only", () => {
    const strays = files.flatMap((file) => {
      const room = roomOf(file);
      const isDoor = doors.has(file.slice(src.length).replace(/\.ts$/, ""));
      const allowed = room === undefined ? (isDoor ? Object.keys(rooms) : []) : [room, ...(rooms[room] ?? [])];
      return importsOf(file)
        .map((specifier) => resolveImport(file, specifier))
        .filter((target) => target?.startsWith(src))
        .filter((target) => !isAllowed(target ?? "", room, allowed))
        .map((target) => `${file} → ${target}`);
    });

    expect(strays).toEqual([]);
  });
});

/** Doors may open rooms and each other; no room goes back out through one. */
function isAllowed(target: string, room: string | undefined, allowed: readonly string[]): boolean {
  const targetRoom = roomOf(target);
  return targetRoom === undefined ? room === undefined : allowed.includes(targetRoom);
}
