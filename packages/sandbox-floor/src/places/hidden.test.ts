import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { deniedPlaces } from "./denied.js";
import { processListings } from "./listings.js";
import { settingsOf } from "./settings.js";
import { denies, ground } from "./test-ground.js";

describe("hidden from a command", () => {
  it("are keys in the home, as far as there are any", async () => {
    using at = ground();
    at.folder("home/.ssh");
    at.file("home/.aws/credentials");
    at.file("home/.npmrc");
    at.file("home/.config/gcloud/x");
    const { hidden } = await at.places();
    expect(hidden.map(({ isFolder }) => isFolder)).toEqual([true, true, false, true]);
    expect(at.names(hidden)).toEqual(["home/.aws", "home/.config/gcloud", "home/.npmrc", "home/.ssh"]);
  });

  it("are keys where a variable has put them, and not those that except takes out", async () => {
    using at = ground();
    const [one, two] = [at.file("keys/kube1"), at.file("keys/kube2")];
    for (const path of [".ssh/id", ".netrc", ".kube/cache"]) at.file(`home/${path}`);
    const environment = { KUBECONFIG: `${one}:${two}:relative` };
    const { hidden } = await at.places({}, { environment, except: ["~/.ssh", ".netrc"] });
    expect(at.names(hidden)).toEqual(["home/.kube", "home/.netrc", "keys/kube1", "keys/kube2"]);
  });

  it("are what the command and the options list, resolved, a folder before what is in it", async () => {
    using at = ground();
    const folder = at.folder("store");
    at.file("other/key");
    const places = await at.places(
      { hiddenPaths: [at.file("store/run.db"), at.at("absent")] },
      { hidden: [folder, at.link("key", "other/key")] },
    );
    expect(at.names(places.hidden)).toEqual(["other/key", "store"]);
  });

  it("is what a rule denies to read at any depth, and a folder that is denied as a whole is one place", async () => {
    using at = ground();
    for (const path of [".env", "a/b/c/d/e/key.pem", "a/free.txt", "secrets/one", "secrets/deep/two", "private/x"])
      at.file(`work/${path}`);
    const places = await at.places({ isDenied: denies(/^\.env$|\.pem$|^secrets\/|^private$/, "read") });
    expect(at.names(places.hidden)).toEqual(["work/.env", "work/a/b/c/d/e/key.pem", "work/private", "work/secrets"]);
    expect(at.names(places.pinned)).toEqual(["work/a", "work/a/b", "work/a/b/c", "work/a/b/c/d", "work/a/b/c/d/e"]);
  });

  it("asks no rule about what is in a denied folder, in node_modules or in .git", async () => {
    using at = ground();
    for (const path of ["secrets/one", "node_modules/p/q", ".git/objects/x", "src/y"]) at.file(`work/${path}`);
    const asked = new Set<string>();
    await at.places({
      isDenied: (act, path) => {
        asked.add(path);
        return act === "read" && path.startsWith("secrets/");
      },
    });
    const real = [...asked].filter((path) => /(one|p|x|y)$/.test(path));
    expect(real).toEqual(["src/y"]);
  });

  it("asks no rule twice about what has not changed", async () => {
    using at = ground();
    for (const path of ["a/b.txt", "c.pem"]) at.file(`work/${path}`);
    let asked: string[] = [];
    const isDenied = (act: string, path: string) => {
      asked.push(path);
      return act === "read" && path.endsWith(".pem");
    };
    const first = await at.places({ isDenied });
    expect(asked).toEqual(expect.arrayContaining(["a", "a/b.txt", "c.pem"]));
    asked = [];
    expect((await at.places({ isDenied })).hidden).toEqual(first.hidden);
    expect(asked.filter((path) => /^(a|a\/b\.txt|c\.pem)$/.test(path))).toEqual([]);
  });

  it("is seen to again when files come and go", async () => {
    using at = ground();
    at.file("work/a/free.txt");
    const isDenied = denies(/\.pem$/, "read");
    const hidden = async () => at.names((await at.places({ isDenied })).hidden);
    const before = await hidden();
    at.file("work/a/new.pem");
    expect([before, await hidden()]).toEqual([[], ["work/a/new.pem"]]);
  });

  it("is refused as a contradiction when the workspace would be hidden", async () => {
    using at = ground();
    const refused = { kind: "setup-failed", message: expect.stringContaining("workspace") };
    await expect(at.places({ hiddenPaths: [at.base] })).rejects.toMatchObject(refused);
    await expect(at.places({}, { hidden: [at.workspace] })).rejects.toMatchObject(refused);
    await expect(at.places({ isDenied: (act) => act === "read" })).rejects.toMatchObject(refused);
  });

  it("is refused as a contradiction when the command would start in what is hidden", async () => {
    using at = ground();
    const cwd = at.folder("work/secrets/sub");
    const places = at.places({ cwd, workspace: at.workspace, isDenied: denies(/^secrets\//, "read") });
    await expect(places).rejects.toMatchObject({ kind: "setup-failed", message: expect.stringContaining("starts in") });
  });

  it("gives way to a grant inside it, and comes back inside that", async () => {
    using at = ground();
    const [root, key] = [at.folder("home/.kube/project"), at.file("home/.kube/project/key")];
    const places = await at.places({ writableRoots: [root], hiddenPaths: [key] });
    expect([at.names(places.hidden), places.writable]).toEqual([
      ["home/.kube", "home/.kube/project/key"],
      [at.workspace, root],
    ]);
  });
});

describe.skipIf(process.platform === "win32")("odd things that a rule denies [where there are links and FIFOs]", () => {
  it("are hidden where a link leads, but what every program needs is not, nor the workspace, which is said", async () => {
    using at = ground();
    const real = at.file("outside/real.env");
    at.link("work/.env", real);
    at.link("work/b.env", "/usr");
    at.link("work/c.env", "..");
    at.link("work/d.env", "../home");
    at.link("work/e.env", "nowhere");
    const { hidden, warnings } = await at.places({ isDenied: denies(/\.env$/, "read") });
    expect(at.names(hidden)).toEqual(["outside/real.env"]);
    expect(warnings).toEqual(["b.env", "c.env", "d.env"].map((name) => expect.stringContaining(name)));
  });

  it("may be FIFOs, and a name that is not UTF-8 is said to be out of reach", async () => {
    using at = ground();
    execFileSync("mkfifo", [at.at("work/pipe.pem")]);
    writeFileSync(Buffer.concat([Buffer.from(`${at.workspace}/`), Buffer.from([0xff]), Buffer.from(".pem")]), "");
    const { hidden, warnings } = await at.places({ isDenied: denies(/\.pem$/, "read") });
    expect([at.names(hidden), warnings]).toEqual([["work/pipe.pem"], [expect.stringContaining("not UTF-8")]]);
  });
});

describe("a workspace with more than can be looked at", () => {
  it("is looked at as far as that goes, nearest first, and the rest is said", async () => {
    using at = ground();
    for (const path of [
      "near.pem",
      "few/x.pem",
      "few/deep/y.pem",
      ...Array.from({ length: 12 }, (_, i) => `many/${i}.pem`),
    ])
      at.file(`work/${path}`);
    const command = { argv: ["true"], cwd: at.workspace, isDenied: denies(/\.pem$/, "read") } as const;
    const denied = await deniedPlaces(settingsOf(command, {}), processListings(), 10);
    expect([at.names(denied.read), denied.write]).toEqual([
      ["work/few/deep/y.pem", "work/few/x.pem", "work/near.pem"],
      [],
    ]);
    expect(denied.warnings).toEqual([expect.stringMatching(/were not applied in ".*many": .* more than 10 entries/)]);
  });
});
