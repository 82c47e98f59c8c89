// Commands lead sessions of their own, so what ends this process (Ctrl-C in a terminal, `process.exit`) does not reach
// them. The list is the process's, not a floor's: one listener serves every command of every floor, and there is none
// while nothing runs.

const endings = new Set<() => void>();

function endAll(): void {
  for (const end of endings) end();
}

/** Calls `end` when this process exits, unless the returned function was called before. */
export function endWithProcess(end: () => void): () => void {
  if (endings.size === 0) process.on("exit", endAll);
  endings.add(end);
  return () => {
    if (endings.delete(end) && endings.size === 0) process.off("exit", endAll);
  };
}
