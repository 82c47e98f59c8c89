// Caps that the kernel holds by refusing: no process gets another descriptor, no file another byte. Who lives on with that
// is found here by standing at the limit, at two looks in a row: merely passing by it is no offence.
import type { ProcessUsage, UsageSource } from "./proc-usage.js";
import type { Check } from "./tree-checks.js";

/** A process has all the descriptors that it may have. */
export function descriptorCheck(maxOpenFiles: number, source: UsageSource): Check {
  const most = Math.max(1, Math.floor(maxOpenFiles));
  return standing((members) => {
    const full = members.filter(({ pid }) => source.openFiles(pid) >= most);
    return full.map(({ pid, startedAt }) => `${pid} ${startedAt}`);
  });
}

/** To look at every descriptor is dear: every so many looks. */
const seldom = 4;

/** A process writes to a file that is as long as it may be. */
export function fileCheck(maxFileBytes: number, source: UsageSource): Check {
  const bytes = Math.max(1, Math.floor(maxFileBytes));
  const isStanding = standing((members) => members.flatMap(({ pid }) => source.filesOf(pid, bytes)));
  let looks = 0;
  return (members) => {
    looks += 1;
    return looks % seldom === 0 && isStanding(members);
  };
}

/** True when one of those that `find` names was named the time before as well. */
function standing(find: (members: readonly ProcessUsage[]) => readonly string[]): Check {
  let before: ReadonlySet<string> = new Set();
  return (members) => {
    const now = find(members);
    const isOver = now.some((name) => before.has(name));
    before = new Set(now);
    return isOver;
  };
}
