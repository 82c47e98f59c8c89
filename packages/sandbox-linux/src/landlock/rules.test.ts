import { expect, it } from "vitest";
import { handledBy, rights } from "./rights.js";
import { ruleSteps } from "./rules.js";

const roots = ["/etc", "/dev", "/usr"].map((path) => ({ path, isFolder: true }));
const steps = (abi = 7) =>
  ruleSteps({
    handled: handledBy(abi, "denied"),
    roots,
    writable: [
      { path: "/home/me/work", isFolder: true },
      { path: "/home/me/one.log", isFolder: false },
    ],
  });

it("grants to see everything, to read all but devices, and to change what may be written", () => {
  expect(steps()).toEqual([
    { type: "rules", handled: { bytes: 24, files: 0xffff, ports: 3, scopes: 3 } },
    { type: "grant", rights: rights.execute | rights.readFolder, path: "/" },
    { type: "grant", rights: rights.readFile, path: "/etc" },
    { type: "grant", rights: rights.readFile, path: "/usr" },
    ...["null", "zero", "full", "random", "urandom", "tty"].map((name) => ({
      type: "grant",
      rights: rights.readFile | rights.writeFile | rights.controlDevice,
      path: `/dev/${name}`,
    })),
    { type: "stream", rights: rights.readFile | rights.writeFile, fd: 1 },
    { type: "stream", rights: rights.readFile | rights.writeFile, fd: 2 },
    { type: "grant", rights: 0xffff, path: "/home/me/work" },
    { type: "grant", rights: 0xc007, path: "/home/me/one.log" },
  ]);
});

it.each([1, 2, 3, 4, 5])("grants nothing that version %i of the interface does not know", (abi) => {
  const { files } = handledBy(abi, "denied");
  const granted = steps(abi).flatMap((step) => (step.type === "grant" || step.type === "stream" ? [step.rights] : []));

  expect(granted.filter((wanted) => (wanted & ~files) !== 0)).toEqual([]);
});
