import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { type Desk, desk } from "./desk.test-support.js";
import { loadProvider, locateProvider } from "./provider-module.js";

function installed(at: Desk, name: string): string {
  mkdirSync(join(at.folder, "node_modules", name), { recursive: true });
  at.file(join("node_modules", name, "package.json"), { name, type: "module", exports: "./index.js" });
  const module = "export const provider = { spec: 1, name: 'packaged', endpoints: [], complete() {} };";
  return at.file(join("node_modules", name, "index.js"), module);
}

describe("where a provider is found", () => {
  it("is a file, by any path, as a URL that holds from everywhere", async () => {
    using at = desk();
    const name = at.provider([]);
    const url = pathToFileURL(join(at.folder, name)).href;

    for (const given of [name, `./${name}`, join(at.folder, name), url]) {
      expect(await locateProvider(given, at.folder)).toBe(url);
    }
    expect(await locateProvider(url, "/")).toBe(url);
  });

  it("is a package of the project in which the command was typed", async () => {
    using at = desk();
    const file = installed(at, "acme-model");
    const found = await locateProvider("acme-model", at.folder);

    expect(found).toBe(pathToFileURL(join(at.folder, file)).href);
    expect((await loadProvider(found)).name).toBe("packaged");
  });

  it("is a file rather than a package of the same name", async () => {
    using at = desk();
    installed(at, "model.mjs");
    at.file("model.mjs", "");

    expect(await locateProvider("model.mjs", at.folder)).toBe(pathToFileURL(join(at.folder, "model.mjs")).href);
  });

  it("is left to be found beside the binary where the project has no such package", async () => {
    using at = desk();

    expect(await locateProvider("acme-model", at.folder)).toBe("acme-model");
  });

  it("cannot be a path without a file, or a folder", async () => {
    using at = desk();

    await expect(locateProvider("./gone.mjs", at.folder)).rejects.toMatchObject({ code: "config-invalid" });
    await expect(locateProvider("./repo", at.folder)).rejects.toMatchObject({ code: "config-invalid" });
  });
});
