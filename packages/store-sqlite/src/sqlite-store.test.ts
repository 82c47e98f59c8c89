import { describeStore } from "@harness/testing/store";
import Database from "better-sqlite3";
import { sqliteStore } from "./sqlite-store.js";

const abilities = { survivesReopen: true, follows: true, seesDeadOwners: true } as const;

for (const durability of ["power", "process"] as const) {
  describeStore(`sqliteStore, durable against the end of the ${durability}`, {
    open: (location) => sqliteStore({ path: location, durability }),
    ...abilities,
  });
}

describeStore("sqliteStore over a given connection", {
  open(location) {
    const database = new Database(location);
    const store = sqliteStore({ database, durability: "process" });
    const close = () => store.close().then(() => void database.close());
    return { ...store, close, [Symbol.asyncDispose]: close };
  },
  ...abilities,
});
