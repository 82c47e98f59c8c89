import { mkdirSync, realpathSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { testFolder } from "../test-folder.js";
import { programFolders, waysTo } from "./host.js";

const host = { settings: [], dangers: [], runFolders: ["/run"] };

describe.skipIf(process.platform !== "linux")("the way to programs [on Linux]", () => {
  it("is shown where they lie in a folder that a command has of its own, and nowhere else", () => {
    using folder = testFolder("/tmp");
    using elsewhere = testFolder();
    const tools = join(folder.path, "tools");
    mkdirSync(tools);
    mkdirSync(join(elsewhere.path, "bin"));
    symlinkSync(elsewhere.path, join(folder.path, "version"));
    const folders = [tools, join(folder.path, "version", "bin"), "/usr/bin", "/tmp", join(folder.path, "absent")];

    expect(waysTo(folders, host)).toEqual([
      { type: "folder", path: tools },
      { type: "link", path: join(folder.path, "version"), target: realpathSync(elsewhere.path) },
    ]);
  });

  it("leads to the program's own folder, and to what of PATH is absolute", () => {
    expect(programFolders("/opt/tool/bin/tool", "/usr/bin::.:bin:/bin")).toEqual(["/opt/tool/bin", "/usr/bin", "/bin"]);
    expect(programFolders("tool", undefined)).toEqual([]);
  });
});
