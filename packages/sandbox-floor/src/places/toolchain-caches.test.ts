import { describe, expect, it } from "vitest";
import { toolchainCaches } from "./toolchain-caches.js";

const home = "/home/ada";
const caches = (environment: Readonly<Record<string, string>> = {}) => toolchainCaches({ environment, home });

describe("the caches of toolchains", () => {
  it("are where each keeps them by convention", () => {
    expect(caches()).toEqual(
      expect.arrayContaining([
        ...["/home/ada/.cargo/registry", "/home/ada/.npm/_cacache", "/home/ada/.cache/pip", "/home/ada/go/pkg/mod"],
        ...[
          "/home/ada/.cache/go-build",
          "/home/ada/.m2/repository",
          "/home/ada/.gradle/caches",
          "/home/ada/Library/Caches/pip",
        ],
      ]),
    );
  });

  it("are where a variable puts them, and then not at the usual place", () => {
    const moved = caches({ CARGO_HOME: "/c", GOPATH: "/go", XDG_CACHE_HOME: "/x", npm_config_cache: "relative" });
    expect(moved).toEqual(expect.arrayContaining(["/c/git", "/c/registry", "/go/pkg/mod", "/x/pip", "/x/go-build"]));
    const usual = /^\/home\/ada\/(\.cargo|go|\.cache|\.npm)\//;
    expect(moved.filter((path) => usual.test(path) || !path.startsWith("/"))).toEqual([]);
  });

  it("leave out what holds credentials or is run", () => {
    const whole = caches().filter((path) =>
      /\/(\.cargo|\.npm|pnpm|\.m2|\.gradle|\.gem|\.bundle|\.composer|\.hex)$/.test(path),
    );
    expect(whole).toEqual(["/home/ada/.cache/pnpm", "/home/ada/Library/Caches/pnpm"]);
    expect(caches().filter((path) => /\/(bin|_npx|init\.d)$/.test(path))).toEqual([]);
  });

  it("come sorted, each once", () => {
    const all = caches({ PIP_CACHE_DIR: "/same", UV_CACHE_DIR: "/same" });
    expect(all).toEqual([...new Set(all)].sort());
  });
});
