// A call of a tool of the workspace, as a run makes it whose boundary allows every act.
import { callId, type JudgedAct, runId, type ToolContext, type ToolResult } from "@harness/spec";
import { type Tool, workspaceTools } from "io-harness";

export interface Calling {
  readonly workspace: string;
  readonly visible: ToolContext["visible"];
}

/** The tool that a workspace has by this name. */
export function toolNamed(name: string): Tool {
  const tool = workspaceTools()({ replayable: [] }).find((tool) => tool.name === name);
  if (!tool) throw new Error(`There is no tool ${name}.`);
  return tool;
}

export async function callTool(tool: Tool, input: unknown, calling: Calling): Promise<ToolResult> {
  const acts = (await tool.acts?.(input, contextOf(calling, []))) ?? [];
  const granted = acts.map((act): JudgedAct => ({ act, verdict: { effect: "allow" } }));
  return tool.invoke(input, contextOf(calling, granted));
}

function contextOf({ workspace, visible }: Calling, granted: readonly JudgedAct[]): ToolContext {
  return {
    runId: runId("bench"),
    call: callId(1, 1),
    id: "bench/1.1",
    workspace,
    signal: new AbortController().signal,
    visible,
    granted,
    kept: async () => undefined,
    keep: async () => undefined,
    get sandbox(): never {
      throw new Error("No command runs here.");
    },
    execTimeoutMs: 0,
    env: [],
    progress: () => undefined,
  };
}
