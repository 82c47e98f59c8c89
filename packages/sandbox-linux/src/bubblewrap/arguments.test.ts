import { describe, expect, it } from "vitest";
import { type Arrangement, bubblewrapArguments } from "./arguments.js";

const usual: Arrangement = {
  places: {
    writable: ["/home/ann/work", "/home/ann/.npm/_cacache"],
    pinned: ["/home/ann/work/.git"],
    protected: ["/home/ann/work/.git/config", "/home/ann/work/.git/hooks"],
    hidden: [
      { path: "/home/ann/.ssh", isFolder: true },
      { path: "/home/ann/work/.env", isFolder: false },
    ],
  },
  workspace: "/home/ann/work",
  cwd: "/home/ann/work/src",
  network: "own",
  ways: [],
  tempBytes: 1_000_000,
  host: { settings: ["/proc/sys", "/proc/irq"], dangers: ["/proc/kcore"], runFolders: ["/run"] },
  features: { size: true, disableUserns: true },
  filterAt: 4,
  statusAt: 3,
};

const none = { writable: [], pinned: [], protected: [], hidden: [] };

/** One option a line, as a person would write it down. */
function lines(arrangement: Arrangement): readonly string[] {
  return bubblewrapArguments(arrangement)
    .join(" ")
    .split(/ (?=--)/);
}

describe("bubblewrap's arguments", () => {
  it("stand in the order in which the boundary is built", () => {
    expect(lines(usual)).toEqual([
      ...["--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-uts", "--unshare-cgroup-try", "--unshare-net"],
      ...["--disable-userns", "--cap-drop ALL", "--die-with-parent", "--new-session", "--hostname sandbox"],
      ...["--ro-bind / /", "--dev /dev", "--proc /proc"],
      ...["--ro-bind /proc/sys /proc/sys", "--ro-bind /proc/irq /proc/irq", "--ro-bind /dev/null /proc/kcore"],
      ...["--size 1000000", "--tmpfs /dev/shm", "--size 1000000", "--tmpfs /tmp", "--size 1000000", "--tmpfs /var/tmp"],
      ...["--size 4096", "--tmpfs /run"],
      "--bind /home/ann/work /home/ann/work",
      ...["--size 4096", "--tmpfs /home/ann/.ssh"],
      "--bind /home/ann/work/.git /home/ann/work/.git",
      "--ro-bind /dev/null /home/ann/work/.env",
      "--bind /home/ann/.npm/_cacache /home/ann/.npm/_cacache",
      "--ro-bind /home/ann/work/.git/hooks /home/ann/work/.git/hooks",
      "--ro-bind /home/ann/work/.git/config /home/ann/work/.git/config",
      ...["--remount-ro /home/ann/.ssh", "--remount-ro /run"],
      ...["--chdir /home/ann/work/src", "--seccomp 4", "--json-status-fd 3"],
    ]);
  });

  it("bind a workspace that may not be written for reading, since it may lie in a folder of the command's own", () => {
    const seen = lines({ ...usual, places: none, workspace: "/tmp/work", cwd: "/tmp/work" });

    expect(seen.filter((line) => line.startsWith("--bind"))).toEqual([]);
    expect(seen.indexOf("--ro-bind /tmp/work /tmp/work")).toBeGreaterThan(seen.indexOf("--tmpfs /tmp"));
  });

  it("put what is granted in a hidden folder into it before that is closed", () => {
    const places = {
      ...none,
      writable: ["/home/ann/.kube/work"],
      hidden: [{ path: "/home/ann/.kube", isFolder: true }],
    };
    const seen = lines({ ...usual, places, workspace: "/home/ann/.kube/work" });
    const order = [
      "--tmpfs /home/ann/.kube",
      "--bind /home/ann/.kube/work /home/ann/.kube/work",
      "--remount-ro /home/ann/.kube",
    ];

    expect(seen.filter((line) => order.includes(line))).toEqual(order);
  });

  it("leave the network and the names in it where egress is open", () => {
    const resolver = "/run/systemd/resolve/stub-resolv.conf";
    const seen = lines({ ...usual, network: "as-started", resolver });

    expect(seen).not.toContain("--unshare-net");
    expect(seen.indexOf(`--ro-bind ${resolver} ${resolver}`)).toBeGreaterThan(seen.indexOf("--tmpfs /run"));
  });

  it("show the way to programs that lie where a command has folders of its own", () => {
    const seen = lines({
      ...usual,
      ways: [
        { type: "link", path: "/run/user/1000/node", target: "/opt/node" },
        { type: "folder", path: "/tmp/tools" },
      ],
    });

    expect(seen).toEqual(
      expect.arrayContaining(["--symlink /opt/node /run/user/1000/node", "--ro-bind /tmp/tools /tmp/tools"]),
    );
  });

  it("do without what an older bubblewrap lacks, and without a filter where there is none", () => {
    const seen = lines({ ...usual, features: { size: false, disableUserns: false }, filterAt: undefined });

    expect(seen.filter((line) => /--size|--disable-userns|--seccomp/.test(line))).toEqual([]);
    expect(seen).toContain("--tmpfs /tmp");
  });
});
