import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ConfigError, type RunId, systemClock } from "@harness/spec";
import { sqliteStore } from "@harness/store-sqlite";
import { describe, expect, it } from "vitest";
import { execute } from "../damage.test-support.js";
import { desk } from "../desk.test-support.js";
import { ran } from "../runs.test-support.js";
import { examineAll, type Report } from "./check.js";
import { storeCheck } from "./check-store.js";
import { fakeMachine } from "./machine.test-support.js";

async function looked(path: string): Promise<Report> {
  return storeCheck.examine(fakeMachine({ storePath: () => path, clock: systemClock() }));
}

function textOf({ findings }: Report, name: string): string | undefined {
  const found = findings.find((finding) => finding.name === name);
  return found && `${found.status}: ${found.text}`;
}

function scratch(): { readonly folder: string; [Symbol.dispose](): void } {
  const folder = mkdtempSync(join(tmpdir(), "harness-doctor-test-"));
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

describe("what the doctor says of a store", () => {
  it("is that one can be made where there is none, which leaves nothing behind", async () => {
    using at = scratch();
    const path = join(at.folder, "not", "there", "runs.db");
    const report = await looked(path);

    expect(report.facts).toMatchObject({ type: "makeable", bytes: null, path, durability: "power" });
    expect(textOf(report, "access")).toMatch(/^ok: the first run makes it; one made there for a moment/);
    expect(readdirSync(at.folder)).toEqual([]);
  });

  it("is how many runs it has, of one that can be read and written, and changes nothing", async () => {
    using at = desk();
    await ran(at);
    const before = await at.stored();
    const report = await looked(at.storePath);

    expect(report.facts).toMatchObject({ type: "usable", runs: 1, areMore: false });
    expect(textOf(report, "runs")).toBe("plain: 1");
    expect(textOf(report, "file")).toMatch(/runs\.db, [\d.]+ KB$/);
    expect(await at.stored()).toEqual(before);
  });

  it("is a problem when it can be read and not written, as one of a later version", async () => {
    using at = desk();
    await ran(at);
    execute(at.storePath, "pragma user_version = 99");
    const report = await looked(at.storePath);

    expect(report.facts).toMatchObject({ type: "read-only", runs: 1 });
    expect(textOf(report, "access")).toMatch(/^problem: can be read, not written: .*format 99/);
  });

  it("does not disturb a driver that holds a run", async () => {
    using at = scratch();
    const path = join(at.folder, "runs.db");
    await using store = sqliteStore({ path });
    const id = "run-1" as RunId;
    await store.create({ id, root: id, parent: null, createdAt: 1 });
    const lease = await store.acquire(id, "somebody", 60_000);
    await looked(path);

    await expect(store.append(lease, id, [])).resolves.toBeUndefined();
  });

  it.each([
    ["is no store", (path: string) => writeFileSync(path, "This is no database at all. ".repeat(99))],
    ["is a folder", (path: string) => mkdirSync(path)],
    ["is a database of something else", (path: string) => writeFileSync(path, foreignDatabase())],
  ])("is a problem where what lies in its place %s", async (_what, put) => {
    using at = scratch();
    const path = join(at.folder, "runs.db");
    put(path);
    const report = await looked(path);

    expect(report.facts).toMatchObject({ type: "unusable" });
    expect(textOf(report, "access")).toMatch(/^problem: .*runs\.db/);
  });

  it("is a problem where a part of its path is a file", async () => {
    using at = scratch();
    writeFileSync(join(at.folder, "home"), "a file");
    const report = await looked(join(at.folder, "home", "deep", "runs.db"));

    expect(textOf(report, "access")).toBe(`problem: No folder can be made in ${join(at.folder, "home")} (ENOTDIR).`);
  });

  it("is that an empty file is still to be made into one", async () => {
    using at = scratch();
    const path = join(at.folder, "runs.db");
    writeFileSync(path, "");

    expect((await looked(path)).facts).toMatchObject({ type: "makeable", bytes: 0 });
    expect(readdirSync(dirname(path))).toEqual(["runs.db"]);
  });

  it("is a problem of its own where nothing says where it lies", async () => {
    const storePath = () => {
      throw new ConfigError("HOME is not set.");
    };
    const [section] = await examineAll([storeCheck], fakeMachine({ storePath }));

    expect(section?.findings).toMatchObject([{ status: "problem", text: "HOME is not set." }]);
  });
});

/** The header of an SQLite file with another program's mark, and nothing else. */
function foreignDatabase(): Uint8Array {
  const bytes = new Uint8Array(4_096);
  bytes.set(new TextEncoder().encode("SQLite format 3\0"));
  bytes.set([0x10, 0x00, 1, 1, 0, 64, 32, 32], 16);
  bytes.set([0, 0, 0, 1], 28);
  bytes.set([0, 0, 0, 7], 60);
  bytes.set([1, 2, 3, 4], 68);
  bytes.set([13, 0, 0, 0, 0, 0x10, 0], 100);
  return bytes;
}
