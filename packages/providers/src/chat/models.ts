// The catalogue at `/models`. Every vendor lists ids; how large a model's context is, each says under a name of its own or not at
// all.
import type { ModelInfo } from "@harness/spec";
import type { FetchJson } from "../http/http-provider.js";
import { countOf, type Fields, isFields, textOf } from "../payload/fields.js";

/** Entries without an id are passed over, and so is a body that is no list. */
export async function chatModels(fetchJson: FetchJson): Promise<readonly ModelInfo[]> {
  const body = await fetchJson("/models");
  const list = isFields(body) ? body.data : body;
  return Array.isArray(list) ? list.filter(isFields).flatMap(modelOf) : [];
}

function modelOf(entry: Fields): readonly ModelInfo[] {
  const id = textOf(entry.id);
  if (id === "") return [];
  const top = isFields(entry.top_provider) ? entry.top_provider : {};
  const contextTokens = firstSize(
    entry.context_length,
    entry.context_window,
    entry.max_model_len,
    entry.max_context_length,
  );
  const maxOutputTokens = firstSize(top.max_completion_tokens, entry.max_completion_tokens);
  return [
    {
      id,
      ...(contextTokens === undefined ? {} : { contextTokens }),
      ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    },
  ];
}

/** A size of 0 says nothing. */
function firstSize(...values: readonly unknown[]): number | undefined {
  return values.map(countOf).find((count) => count);
}
