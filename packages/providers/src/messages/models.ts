// The catalogue, page by page.
import { isJsonObject, type JsonObject, type ModelInfo } from "@harness/spec";
import type { FetchJson } from "../http/http-provider.js";

const pageSize = 1000;

/** Entries without an id are passed over. Rejects with what `fetchJson` rejects with. */
export async function messagesModels(fetchJson: FetchJson): Promise<readonly ModelInfo[]> {
  const models: ModelInfo[] = [];
  const seen = new Set<string>();
  let after = "";
  do {
    const page = await fetchJson(`/v1/models?limit=${pageSize}${after === "" ? "" : `&after_id=${after}`}`);
    const { data, has_more: hasMore, last_id: last } = isJsonObject(page) ? page : {};
    if (Array.isArray(data)) models.push(...data.filter(isJsonObject).flatMap(modelOf));
    after = hasMore === true && typeof last === "string" ? encodeURIComponent(last) : "";
    // An endpoint that gives the same page for ever has no more.
    if (seen.has(after)) break;
    seen.add(after);
  } while (after !== "");
  return models;
}

function modelOf({ id, max_input_tokens: input, max_tokens: output }: JsonObject): readonly ModelInfo[] {
  if (typeof id !== "string" || id === "") return [];
  return [
    { id, ...(isSize(input) ? { contextTokens: input } : {}), ...(isSize(output) ? { maxOutputTokens: output } : {}) },
  ];
}

function isSize(value: unknown): value is number {
  return typeof value === "number" && value > 0;
}
