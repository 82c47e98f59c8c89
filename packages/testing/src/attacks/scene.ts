// Where an attack takes place: a workspace, what lies beside it, and who else is there. All of it is made for one attack and goes
// with it, so that whatever an attack damages was made to be damaged.
import { randomBytes } from "node:crypto";
import { chmod, mkdir, mkdtemp, realpath, rm, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Bystander, bystander } from "./bystander.js";
import { opening } from "./closers.js";
import { openListeners, type SceneListeners } from "./listeners.js";
import { takeAwayMounts } from "./mounts.js";

export interface Scene extends AsyncDisposable {
  /** In every name that could be found outside the scene; does not repeat. */
  readonly mark: string;
  /** A git repository, the working folder of the command. */
  readonly workspace: string;
  /** Beside it, not granted: the file `f`, which contains `orig`, and an empty folder `mnt`. */
  readonly outside: string;
  /** Not granted. `.ssh/id_fake` in it is hidden and contains `key-` and the mark. */
  readonly home: string;
  /** Granted. */
  readonly cache: string;
  readonly listeners: SceneListeners;
  /** A process of the same user with `environment-` and the mark in its environment. */
  readonly victim: Bystander;
  /** Stands in for this process, which no attack may hurt. */
  readonly harness: Bystander;
  /** Environment of the line. */
  readonly variables: Readonly<Record<string, string>>;
}

/** Makes a scene in `folder`, which must not lie below the temporary folder. */
export async function openScene(folder: string): Promise<Scene> {
  const mark = `atk${randomBytes(6).toString("hex")}`;
  await mkdir(folder, { recursive: true });
  return opening(async (closers) => {
    const made = await realpath(await mkdtemp(join(folder, "a-")));
    closers.defer(() => removeScene(made, mark));
    const places = await makePlaces(made, mark);
    const listeners = closers.add(await openListeners(join(places.outside, "agent.sock"), mark));
    const victim = closers.add(await bystander(`victim-${mark}`, { SECRET: `environment-${mark}` }));
    const harness = closers.add(await bystander(`harness-${mark}`, {}));
    const scene = { mark, ...places, listeners, victim, harness };
    return { ...scene, variables: variablesOf(scene), [Symbol.asyncDispose]: closers.closeAll };
  });
}

function variablesOf(scene: Omit<Scene, "variables" | keyof AsyncDisposable>): Scene["variables"] {
  const { mark, workspace, outside, home, cache, listeners, victim, harness } = scene;
  return {
    ...{ WS: workspace, OUT: outside, HOME: home, CACHE: cache, MARK: mark },
    ...{ TCP: `${listeners.tcp.port}`, UDP: `${listeners.udp.port}`, ABSTRACT: listeners.abstract.name },
    ...{ VICTIM: `${victim.pid}`, HARNESS: `${harness.pid}`, SELF: `${process.pid}`, NODE: process.execPath },
  };
}

type Places = Pick<Scene, "workspace" | "outside" | "home" | "cache">;

async function makePlaces(made: string, mark: string): Promise<Places> {
  const at = (name: string) => join(made, name);
  const places = { workspace: at("ws"), outside: at("out"), home: at("home"), cache: at("cache") };
  for (const place of Object.values(places)) await mkdir(place);
  await mkdir(join(places.outside, "mnt"));
  await writeFile(join(places.outside, "f"), "orig");
  await mkdir(join(places.home, ".ssh"));
  await writeFile(join(places.home, ".ssh", "id_fake"), `key-${mark}\n`);
  await chmod(join(places.home, ".ssh", "id_fake"), 0o600);
  await makeRepository(places.workspace);
  return places;
}

/** As `git init` does it, where there may be no git. */
async function makeRepository(folder: string): Promise<void> {
  for (const name of [".git/hooks", ".git/objects", ".git/refs/heads", ".vscode"]) {
    await mkdir(join(folder, name), { recursive: true });
  }
  await writeFile(join(folder, ".git", "HEAD"), "ref: refs/heads/main\n");
  await writeFile(join(folder, ".git", "config"), gitConfig);
  await writeFile(join(folder, ".vscode", "settings.json"), "{}\n");
}

export const gitConfig = "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n";

/** Where an attack may leave something with the mark for a name, outside the scene. */
export const sharedFolders = ["/tmp", "/var/tmp", "/dev/shm"] as const;

async function removeScene(made: string, mark: string): Promise<void> {
  takeAwayMounts(made);
  for (const path of [made, ...sharedFolders.map((folder) => join(folder, mark))]) {
    await rm(path, { recursive: true, force: true, maxRetries: 5 });
  }
  // The kernel's own files in it go with the folder, and cannot be removed before.
  await rmdir(join("/sys/fs/cgroup", mark)).catch(() => {});
}
