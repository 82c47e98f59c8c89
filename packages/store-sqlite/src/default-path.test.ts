import { expect, it } from "vitest";
import { defaultStorePath } from "./default-path.js";

it("prefers HARNESS_HOME on every platform", () => {
  const env = { HARNESS_HOME: "/data/harness", XDG_STATE_HOME: "/state", HOME: "/home/ann" };

  expect(defaultStorePath(env, "linux")).toBe("/data/harness/runs.db");
  expect(defaultStorePath(env, "darwin")).toBe("/data/harness/runs.db");
  expect(defaultStorePath({ HARNESS_HOME: "D:\\harness" }, "win32")).toBe("D:\\harness\\runs.db");
});

it("uses the platform's folder for state otherwise", () => {
  const home = { HOME: "/home/ann" };

  expect(defaultStorePath({ ...home, XDG_STATE_HOME: "/state" }, "linux")).toBe("/state/io-harness/runs.db");
  expect(defaultStorePath({ ...home, XDG_STATE_HOME: "state" }, "linux")).toBe(
    "/home/ann/.local/state/io-harness/runs.db",
  );
  expect(defaultStorePath({ ...home, HARNESS_HOME: "" }, "freebsd")).toBe("/home/ann/.local/state/io-harness/runs.db");
  expect(defaultStorePath(home, "darwin")).toBe("/home/ann/Library/Application Support/io-harness/runs.db");
  expect(defaultStorePath({ LOCALAPPDATA: "C:\\Local" }, "win32")).toBe("C:\\Local\\io-harness\\runs.db");
  expect(defaultStorePath({ USERPROFILE: "C:\\Users\\ann" }, "win32")).toBe(
    "C:\\Users\\ann\\AppData\\Local\\io-harness\\runs.db",
  );
});

it("says which variable is missing", () => {
  expect(() => defaultStorePath({}, "linux")).toThrow(/HOME is not set.*HARNESS_HOME/);
  expect(() => defaultStorePath({}, "win32")).toThrow(/LOCALAPPDATA is not set.*HARNESS_HOME/);
});
