// Commands lead sessions of their own, so what ends this process (Ctrl-C in a terminal, `process.exit`) does not reach
// them. The list is the process's, not a floor's: one listener serves every command of every floor, and there is none
// while nothing runs.

const commands = new Set<() => void>();
const folders = new Set<() => void>();

function endAll(): void {
  for (const end of commands) end();
  // What still ran could write to them.
  for (const end of folders) end();
}

/**
 * Calls `end` when this process exits, unless the returned function was called before. What removes a `folder` is called
 * when every command has been ended.
 */
export function endWithProcess(end: () => void, what: "command" | "folder" = "command"): () => void {
  const endings = what === "command" ? commands : folders;
  if (commands.size + folders.size === 0) process.on("exit", endAll);
  endings.add(end);
  return () => {
    if (endings.delete(end) && commands.size + folders.size === 0) process.off("exit", endAll);
  };
}
