import { describe, expect, it } from "vitest";
import { type Arrangement, benchFor, setUpSteps } from "./set-up-steps.js";

const nothing = { writable: [], pinned: [], protected: [], hidden: [] };
const plain: Arrangement = {
  places: { ...nothing, writable: ["/home/me/work"] },
  ...{ workspace: "/home/me/work", temporary: ["/dev/shm", "/tmp", "/var/tmp"], bench: "/dev/shm", ways: [] },
  ...{ tempBytes: 1000, devices: ["/dev/null"], deviceLinks: ["/dev/fd"], isFile: () => false, loopback: false },
};
const own = (path: string) => ["mount", "tmpfs", "size=1000,mode=1777,nosuid,nodev", path];
const lines = (arrangement: Arrangement) => setUpSteps(arrangement).map((step) => step.join(" "));
const after = (step: string, all: readonly string[]) => all.slice(all.indexOf(step) + 1);
const since = (arrangement: Arrangement) => after(`lock ${arrangement.bench}`, lines(arrangement));

describe("the set-up", () => {
  it("takes what may be written, makes the rest read-only, and puts the command's own folders over it", () => {
    expect(setUpSteps(plain)).toEqual([
      ["mount", "tmpfs", "size=1m,mode=700", "/dev/shm"],
      ["folder", "/dev/shm/dev"],
      ["mount", "tmpfs", "size=64k,mode=755", "/dev/shm/dev"],
      ["file", "/dev/shm/dev/null"],
      ["bind", "/dev/null", "/dev/shm/dev/null"],
      ["copy", "/dev/fd", "/dev/shm/dev"],
      ["folder", "/dev/shm/dev/pts"],
      ["mount", "devpts", "newinstance,ptmxmode=0666,mode=620,nosuid,noexec", "/dev/shm/dev/pts"],
      ["link", "pts/ptmx", "/dev/shm/dev/ptmx"],
      ["folder", "/dev/shm/dev/shm"],
      own("/dev/shm/dev/shm"),
      ["folder", "/dev/shm/0"],
      ["bind", "/home/me/work", "/dev/shm/0"],
      ["lock", "/dev/shm"],
      own("/tmp"),
      own("/var/tmp"),
      ["move", "/dev/shm/0", "/home/me/work"],
      ["mount", "proc", "ro,nosuid,nodev,noexec", "/proc"],
      ["move", "/dev/shm/dev", "/dev"],
      ["seal", "/dev"],
    ]);
  });

  it("pins, protects and hides what lies in a grant, from above to below", () => {
    const places = {
      writable: ["/w", "/w/secret/open"],
      pinned: ["/w/.git"],
      protected: ["/w/.git/config"],
      hidden: [
        { path: "/w/.env", isFolder: false },
        { path: "/w/secret", isFolder: true },
        { path: "/home/me/x/.ssh", isFolder: true },
      ],
    };

    expect(since({ ...plain, places, workspace: "/w" })).toEqual([
      ...[own("/tmp"), own("/var/tmp")].map((step) => step.join(" ")),
      "move /dev/shm/0 /w",
      "bind /w/.git /w/.git",
      "bind /dev/shm/dev/null /w/.env",
      "mount tmpfs size=4096,mode=755 /w/secret",
      "folder /w/secret/open",
      "move /dev/shm/1 /w/secret/open",
      "bind /w/.git/config /w/.git/config",
      "seal /w/.git/config",
      "mount tmpfs ro,size=4096,mode=755 /home/me/x/.ssh",
      "seal /w/secret",
      "mount proc ro,nosuid,nodev,noexec /proc",
      "move /dev/shm/dev /dev",
      "seal /dev",
    ]);
  });

  it("puts a workspace back that lies in a temporary folder, also one that may only be read", () => {
    const inTemp = { ...plain, workspace: "/tmp/w" };

    expect(since({ ...inTemp, places: { ...nothing, writable: ["/tmp/w"] } })).toEqual(
      expect.arrayContaining(["folder /tmp/w", "move /dev/shm/0 /tmp/w"]),
    );
    expect(since({ ...inTemp, places: nothing })).toEqual(
      expect.arrayContaining(["folder /tmp/w", "move /dev/shm/0 /tmp/w", "seal /tmp/w"]),
    );
  });

  it("covers the bench in the end, when nothing is wanted from it any more", () => {
    const arrangement = { ...plain, bench: "/tmp", places: { ...nothing, writable: ["/dev/shm/w"] } };

    expect(lines(arrangement).slice(-3)).toEqual(["move /tmp/dev /dev", "seal /dev", own("/tmp").join(" ")]);
  });

  it("hides nothing in a temporary folder, where the command has its own", () => {
    const places = { ...plain.places, hidden: [{ path: "/tmp/keys", isFolder: true }] };

    expect(lines({ ...plain, places })).toEqual(lines(plain));
  });

  it("makes way for a grant that is a file, and for programs below a temporary folder", () => {
    const places = { ...nothing, writable: ["/tmp/one.log"] };
    const ways = [
      { type: "folder", path: "/var/tmp/bin" },
      { type: "link", path: "/var/tmp/node", target: "/opt/node" },
    ] as const;
    const isFile = (path: string) => path === "/tmp/one.log";

    expect(since({ ...plain, places, ways, isFile })).toEqual(
      expect.arrayContaining([
        ...["folder /var/tmp", "link /opt/node /var/tmp/node"],
        ...["folder /var/tmp/bin", "move /dev/shm/0 /var/tmp/bin", "seal /var/tmp/bin"],
        ...["folder /tmp", "file /tmp/one.log", "move /dev/shm/1 /tmp/one.log"],
      ]),
    );
  });
});

it.each([
  [[], "/dev/shm"],
  [["/dev/shm/a"], "/tmp"],
  [["/dev/shm/a", "/tmp"], "/var/tmp"],
  [["/dev/shm", "/tmp/a", "/var/tmp/a/b"], undefined],
])("works in a temporary folder in which none of %j lies", (writable, bench) => {
  expect(benchFor(plain.temporary, { ...plain, places: { ...nothing, writable } })).toBe(bench);
});
