// What the tools that only look share: the folder or file they name is resolved and judged beforehand, and resolved and
// compared again when they look.
import type { StandardSchema, Tool, ToolContext, ToolResult } from "@harness/spec";
import { fileActs, grantedAct, type Place, resolver } from "../paths/place.js";
import { rootFinder } from "../paths/root.js";

export interface Reading<Input> {
  readonly name: string;
  readonly description: string;
  readonly input: StandardSchema<Input>;
  /** Looks at `place`, which was granted and still leads where it did. */
  look(input: Input, place: Place, context: ToolContext): Promise<ToolResult>;
}

/** A tool that reads at `input.path`; the workspace root when that is empty or absent. */
export function readingTool<Input extends { readonly path?: string | undefined }>(
  reading: Reading<Input>,
): Tool<Input> {
  const { look, ...offer } = reading;
  const resolve = resolver(rootFinder());
  const placeOf = (input: Input, workspace: string) => resolve(workspace, "read", input.path || ".");
  return {
    ...offer,
    effect: "read",
    recovery: "replayable",
    acts: async (input, context) => fileActs("read", await placeOf(input, context.workspace)),
    async invoke(input, context) {
      const place = await placeOf(input, context.workspace);
      grantedAct("read", place, context.granted);
      return look(input, place, context);
    },
  };
}
