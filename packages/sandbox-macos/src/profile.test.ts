import type { Places } from "@harness/sandbox-floor";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ProfileRequest, seatbeltProfile } from "./profile.js";
import { readProfile } from "./test-profile-reader.js";

const workspace = "/Users/ada/project";
const temp = "/private/var/folders/zz/T/harness-501/one";
const hidden = [
  { path: "/Users/ada/.ssh", isFolder: true },
  { path: `${workspace}/.env`, isFolder: false },
];
const none = { writable: [], protected: [], pinned: [], hidden: [], watched: [] };
const inProject: ProfileRequest["places"] = {
  writable: [workspace, "/Users/ada/.npm/_cacache"],
  protected: [`${workspace}/.git/config`, `${workspace}/.git/hooks`],
  pinned: [`${workspace}/.git`],
  hidden,
  watched: [`${workspace}/.vscode`],
};

function printed(request: ProfileRequest): string {
  const { text, parameters } = seatbeltProfile(request);
  return `${Object.entries(parameters)
    .map(([name, path]) => `; -D ${name}=${path}\n`)
    .join("")}${text}`;
}

describe("a profile, whole", () => {
  const cases: readonly (readonly [name: string, request: ProfileRequest])[] = [
    ["read-only-deny", { places: { ...none, hidden }, temp, egress: "deny" }],
    ["read-only-allow", { places: { ...none, hidden }, temp, egress: "allow" }],
    ["workspace-write-deny", { places: inProject, temp, egress: "deny" }],
    ["workspace-write-allow", { places: inProject, temp, egress: "allow" }],
  ];

  for (const [name, request] of cases) {
    it(`is as it was for ${name}`, async () => {
      await expect(printed(request)).toMatchFileSnapshot(`./__fixtures__/${name}.sb`);
    });
  }
});

/** Which rule decides, the last that names an act and a path, as the kernel would read it. */
function verdict(profile: { text: string; parameters: Readonly<Record<string, string>> }, act: string, path: string) {
  let last = "allow";
  for (const line of profile.text.split("\n")) {
    const rule = /^\((allow|deny) ([a-z* -]+?) ?(?:\((subpath|literal) \(param "(\w+)"\)\))?\)$/.exec(line);
    if (!rule) continue;
    const [, effect = "", acts = "", kind, name = ""] = rule;
    const isAct = acts
      .split(" ")
      .some((each) => each === act || (each.endsWith("*") && act.startsWith(each.slice(0, -1))));
    const where = profile.parameters[name];
    const isPath = kind === undefined || where === path || (kind === "subpath" && path.startsWith(`${where}/`));
    if (isAct && isPath) last = effect;
  }
  return last;
}

describe("the last rule that matches", () => {
  const profile = seatbeltProfile({ places: inProject, temp, egress: "deny" });

  it.each([
    ["allow", "file-write-data", `${workspace}/src/index.ts`],
    ["allow", "file-write-data", `${workspace}/.git/index`],
    ["allow", "file-write-create", `${temp}/scratch`],
    ["deny", "file-write-data", "/Users/ada/other"],
    ["deny", "file-write-mode", "/Users/ada/other"],
    ["deny", "file-write-data", `${workspace}/.git/config`],
    ["deny", "file-write-create", `${workspace}/.git/hooks/pre-commit`],
    ["deny", "file-write-create", `${workspace}/.vscode/tasks.json`],
    ["deny", "file-write-unlink", `${workspace}/.git`],
    // Whoever moved the workspace could write to what is protected in it under another path.
    ["deny", "file-write-unlink", workspace],
    ["allow", "file-write-unlink", `${workspace}/src`],
    ["deny", "file-read-data", `${workspace}/.env`],
    ["deny", "file-read-data", "/Users/ada/.ssh/id_ed25519"],
    ["allow", "file-read-data", "/usr/bin/true"],
    ["deny", "file-link", `${workspace}/second-name`],
    ["deny", "network-outbound", "/var/run/docker.sock"],
    ["deny", "lsopen", ""],
    ["deny", "signal", ""],
  ])("says %s to %s of %s", (effect, act, path) => {
    expect(verdict(profile, act, path)).toBe(effect);
  });

  it("grants what lies in a hidden folder and was granted, and hides what lies in that", () => {
    const places = {
      ...none,
      writable: ["/Users/ada/.kube/project"],
      hidden: [
        { path: "/Users/ada/.kube", isFolder: true },
        { path: "/Users/ada/.kube/project/key", isFolder: false },
      ],
    };
    const nested = seatbeltProfile({ places, temp, egress: "deny" });
    const read = (path: string) => verdict(nested, "file-read-data", path);
    expect([
      read("/Users/ada/.kube/config"),
      read("/Users/ada/.kube/project/src"),
      read("/Users/ada/.kube/project/key"),
    ]).toEqual(["deny", "allow", "deny"]);
  });
});

describe("names in a profile", () => {
  const odd = fc.constantFrom(
    '"',
    "\\",
    ")",
    "(",
    "\n",
    ";",
    "#",
    "'",
    "$",
    "[",
    "]",
    "|",
    "é",
    "\u0001",
    "a",
    ".",
    " ",
  );
  const path = fc
    .array(
      fc.array(odd, { minLength: 1, maxLength: 8 }).map((parts) => parts.join("")),
      { minLength: 1, maxLength: 4 },
    )
    .map((parts) => `/${parts.join("/")}`);

  it("never leave their place, whatever they are made of", () => {
    const plain = readProfile(seatbeltProfile(requestOf("/plain", "/plain2")).text);
    fc.assert(
      fc.property(path, path, (one, other) => {
        const { text, parameters } = seatbeltProfile(requestOf(one, other));
        const read = readProfile(text);
        const withoutPatterns = (shape: string) => shape.replaceAll(" ( deny file-write* ( regex pat ) )", "");
        expect(read.depth).toBe(0);
        expect(withoutPatterns(read.shape)).toBe(withoutPatterns(plain.shape));
        expect(read.strings).toEqual(plain.strings);
        for (const pattern of read.patterns) expect(pattern).toMatch(/^\^[\w\-. /@+,=~%:#![\]]*\(\/\|\$\)$/);
        expect(Object.values(parameters)).toEqual(Object.values(seatbeltProfile(requestOf(one, other)).parameters));
        expect(new Set(Object.values(parameters))).toEqual(new Set([one, other, temp]));
      }),
    );
  });

  function requestOf(one: string, other: string): ProfileRequest {
    const places: Pick<Places, "writable" | "protected" | "pinned" | "hidden" | "watched"> = {
      writable: [one],
      protected: [other],
      pinned: [],
      hidden: [{ path: other, isFolder: true }],
      watched: [one, other],
    };
    // The order of rules goes by the length of paths, which is not what is looked at here.
    return {
      places:
        one.length <= other.length
          ? places
          : { ...places, writable: [other], protected: [one], hidden: [{ path: one, isFolder: true }] },
      temp,
      egress: "deny",
    };
  }
});
