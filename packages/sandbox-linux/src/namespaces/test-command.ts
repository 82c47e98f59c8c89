// A sandbox of this rung for tests, with or without Perl's launcher, and a folder for it beside which nothing is granted.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { floor, type Wrapped, type WrapRequest } from "@harness/sandbox-floor";
import type { Sandbox } from "@harness/spec";
import { placesFor } from "../chain/command-places.js";
import type { RungRequest } from "../rung.js";
import { probeNamespaces } from "./probe.js";
import { findTools, type Tools } from "./tools.js";
import { wrappedCommand } from "./wrapped-command.js";

export interface Variant {
  readonly title: string;
  readonly tools: Tools | undefined;
}

/** The rung with and without Perl, and why one cannot be tried. */
export async function variants(): Promise<readonly Variant[]> {
  const tools = findTools();
  if (typeof tools === "string") return [{ title: `namespaces [${tools}]`, tools: undefined }];
  const { problem } = (await probeNamespaces(tools)).report;
  if (problem !== null) return [{ title: `namespaces [${problem}]`, tools: undefined }];
  const bare = { title: "namespaces, set up by a shell", tools: { ...tools, launcher: undefined } };
  if (tools.launcher) return [{ title: "namespaces, set up by Perl", tools }, bare];
  return [{ title: "namespaces, set up by Perl [needs the package perl-base]", tools: undefined }, bare];
}

export async function wrap(request: WrapRequest, tools: Tools, user?: RungRequest["user"]): Promise<Wrapped> {
  const places = await placesFor(user)(request.command);
  return { ...wrappedCommand({ ...request, places, tempBytes: 1 << 24, user }, tools), ...(user && { user }) };
}

export function sandboxOf(tools: Tools, user?: RungRequest["user"]): Sandbox {
  return floor({
    ...{ backend: "linux-namespaces", wrapperSets: ["temp"], enforces: { treeKill: "kernel" } },
    wrap: (request) => wrap(request, tools, user),
  });
}

/** `work` and `outside` in a folder of their own, which is removed. */
export function makeScene(parent = homedir()) {
  const path = realpathSync(mkdtempSync(join(parent, ".harness-test-")));
  const [work, outside] = [join(path, "work"), join(path, "outside")];
  for (const folder of [work, outside]) mkdirSync(folder);
  return { path, work, outside, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
