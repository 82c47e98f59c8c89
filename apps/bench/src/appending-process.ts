// A process of its own for the measure of following: it appends to the store at the path it is given, so many events as it is
// told, each at another moment of its reader's rounds, and prints when each was durable.
import { runId } from "@harness/spec";
import { sqliteStore } from "@harness/store-sqlite";
import { appendAtMoments } from "./append-at-moments.js";

const [path = "", count = "0"] = process.argv.slice(2);
const store = sqliteStore({ path });
try {
  await appendAtMoments(store, runId("followed"), Number(count), (moment) => console.log(JSON.stringify(moment)));
} finally {
  await store.close();
}
