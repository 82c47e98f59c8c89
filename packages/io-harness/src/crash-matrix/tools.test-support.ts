// The tools of the crash matrix: those of a workspace, and two whose effects only a list knows. Every effect that came to its end
// is counted, and is a place to die at.
import { type AnyTool, defineTool, type TaskContract } from "@harness/spec";
import { workspaceTools } from "@harness/workspace";
import type { KillSwitch } from "./kill-switch.test-support.js";
import { addEffect, type World } from "./world.test-support.js";

interface Words {
  readonly text: string;
}

const words = {
  type: "object",
  properties: { text: { type: "string" } },
  required: ["text"],
  additionalProperties: false,
} as const;

export function toolsOf(world: World, kill: KillSwitch): (contract: TaskContract) => readonly AnyTool[] {
  return (contract) => {
    const counted = workspaceTools()(contract).map((tool) => counting(tool, world));
    return [...counted, sender(world), meter(world)].map((tool) => mortal(tool, kill));
  };
}

/** Cannot be looked up afterwards, and may not simply be made again. */
function sender(world: World): AnyTool {
  return defineTool<Words>({
    name: "send",
    description: "Sends a text, once and for all.",
    input: words,
    effect: "write",
    async invoke({ text }, { call }) {
      addEffect(world, sentLine(call, text));
      return { text: `sent ${text}`, changed: true };
    },
  });
}

/** The line that `send` leaves. */
export function sentLine(call: string, text: string): string {
  return `${call} send ${text}`;
}

/** May be made again. */
function meter(world: World): AnyTool {
  return defineTool<Words>({
    name: "measure",
    description: "Measures something, as often as one likes.",
    input: words,
    effect: "write",
    recovery: "replayable",
    async invoke({ text }, { call }) {
      addEffect(world, `~${call} measure ${text}`);
      return { text: `measured ${text}` };
    },
  });
}

/** `tool`, with a line for every time that it changed files; a command leaves its own. */
function counting(tool: AnyTool, world: World): AnyTool {
  return {
    ...tool,
    async invoke(input, context) {
      const result = await tool.invoke(input, context);
      if (result.changes && result.changes.length > 0) addEffect(world, `${context.call} ${tool.name}`);
      return result;
    },
  };
}

function mortal(tool: AnyTool, { pass }: KillSwitch): AnyTool {
  return {
    ...tool,
    invoke: (input, context) =>
      pass(`effect of ${context.call} ${tool.name}`, ["behind"], () => tool.invoke(input, context)),
  };
}
