export { defaultStorePath } from "./default-path.js";
export type { SqliteDriver, SqliteStatement } from "./driver.js";
export type { SqliteStoreOptions } from "./sqlite-store.js";
export { sqliteStore } from "./sqlite-store.js";
