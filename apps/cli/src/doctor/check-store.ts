// Where runs are kept: whether it can be read and written. What is there is opened, what is not is tried beside its place. No
// store is made by looking for one.

import { bytesText } from "../render/bytes.js";
import { duration } from "../render/durations.js";
import type { Check, Finding, Report } from "./check.js";
import { findStore, type StoreState } from "./find-store.js";

export const storeCheck: Check = {
  title: "Store",
  async examine({ storePath, clock }) {
    const path = storePath();
    return storeReport(path, await findStore(path, clock));
  },
};

const durability: Finding = {
  status: "plain",
  name: "durability",
  text: "what is written survives the end of the process, and a power cut",
};

function storeReport(path: string, state: StoreState): Report {
  const facts = { path, durability: "power", ...state };
  return { findings: [fileFinding(path, state), ...stateFindings(state), durability], facts };
}

function fileFinding(path: string, { bytes }: StoreState): Finding {
  return {
    status: "plain",
    name: "file",
    text: `${path}${bytes === null ? ", not there yet" : `, ${bytesText(bytes)}`}`,
  };
}

function stateFindings(state: StoreState): readonly Finding[] {
  switch (state.type) {
    case "usable":
      return [
        { status: "ok", name: "access", text: `read and written in ${duration(state.tookMs)}; ${formatText}` },
        { status: "plain", name: "runs", text: runsText(state) },
      ];
    case "read-only":
      return [
        { status: "problem", name: "access", text: `can be read, not written: ${state.reason}`, advice: elsewhere },
        { status: "plain", name: "runs", text: runsText(state) },
      ];
    case "unusable":
      return [{ status: "problem", name: "access", text: state.reason, advice: elsewhere }];
    case "makeable":
      return [
        {
          status: "ok",
          name: "access",
          text: `the first run makes it; one made there for a moment was written in ${duration(state.tookMs)}`,
        },
      ];
    default:
      return state satisfies never;
  }
}

const formatText = "its format is the one that is written here";
const elsewhere = "Put it right as it says, or keep runs elsewhere: set HARNESS_HOME to a folder, or pass --store.";

function runsText({ runs, areMore }: Extract<StoreState, { type: "usable" | "read-only" }>): string {
  return areMore ? `more than ${runs.toLocaleString("en-US")}` : runs.toLocaleString("en-US");
}
