// What a store that declares `seesDeadOwners` does about a holder that died: it does not wait for the lease to lapse.
import { spawnSync } from "node:child_process";
import { hostname } from "node:os";
import { expect } from "vitest";
import { fates, headOf } from "./observe.js";
import { drive } from "./stream.js";
import type { Case } from "./subject.js";

/** The pid of a process that has just ended. */
function deadPid(): number {
  return spawnSync(process.execPath, ["--version"]).pid;
}

export const deadOwnerCases: Readonly<Record<string, Case>> = {
  "loses the tree at once, one generation on": async ({ store }) => {
    const { run, lease } = await drive(store, "run-1", `${hostname()}:${deadPid()}:x`);
    expect((await headOf(store, run)).lease?.isAlive).toBe(false);

    const taken = await store.acquire(run, `${hostname()}:${process.pid}:y`, 60_000);

    expect(taken.generation).toBe(lease.generation + 1);
    expect((await headOf(store, run)).lease?.isAlive).toBe(true);
  },

  "loses the tree to one of many": async ({ store }) => {
    const { run } = await drive(store, "run-1", `${hostname()}:${deadPid()}:x`);

    const asked = Array.from({ length: 5 }, (_, index) =>
      store.acquire(run, `${hostname()}:${process.pid}:${index}`, 60_000),
    );

    expect((await fates(asked)).sort()).toEqual(["kept", ...Array(4).fill("run-conflict")]);
  },

  "is not presumed on another host, or under a name that says no pid": async ({ store }) => {
    for (const owner of [`elsewhere.invalid:${deadPid()}:x`, "somebody", `${hostname()}:none:x`, `${hostname()}:0:x`]) {
      const { run } = await drive(store, `run of ${owner}`, owner);

      expect((await headOf(store, run)).lease?.isAlive).toBeNull();
      await expect(store.acquire(run, "elsewhere:2:second", 60_000)).rejects.toMatchObject({ code: "run-conflict" });
    }
  },
};
