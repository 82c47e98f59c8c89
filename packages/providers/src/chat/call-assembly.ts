// Calls from their fragments. Each fragment says by id, by index, by both or by neither which call it belongs to, and vendors
// differ in which of them they send, repeat or get wrong; `find` is where that is settled.
import { isJsonObject, type JsonObject, type ProposedCall } from "@harness/spec";
import { isWholeObject, parsedArguments } from "../payload/call-arguments.js";
import { isFields, textOf } from "../payload/fields.js";

export interface AssembledCall {
  readonly call: ProposedCall;
  /** What has to come back with it. */
  readonly extra: JsonObject | undefined;
}

interface OpenCall {
  /** What its fragments are told by, which an earlier call may have too. */
  key: string | undefined;
  vendorId: string | undefined;
  index: number | undefined;
  name: string;
  written: string;
  extra: JsonObject | undefined;
}

interface Fragment {
  readonly id: string | undefined;
  readonly index: number | undefined;
  readonly name: string;
  readonly written: string;
  /** Its arguments came as an object, which is all of them. */
  readonly isWhole: boolean;
  readonly extra: JsonObject | undefined;
}

/** Used once. Calls keep the order in which they first appear. */
export class CallAssembly {
  readonly #calls: OpenCall[] = [];
  /** The call last seen at each index; under `undefined`, that of fragments without one. */
  readonly #at = new Map<number | undefined, OpenCall>();
  #latest: OpenCall | undefined;

  get isEmpty(): boolean {
    return this.#calls.length === 0;
  }

  /** `index` is given for calls in a list that is whole, where each entry is a call. What is no fragment is passed over. */
  add(value: unknown, index?: number): void {
    if (!isFields(value)) return;
    const fragment = fragmentOf(value, index);
    const call = this.#find(fragment) ?? this.#open(fragment);
    call.index ??= fragment.index;
    if (fragment.name !== "") call.name = fragment.name;
    call.written = fragment.isWhole ? fragment.written : call.written + fragment.written;
    call.extra = fragment.extra ?? call.extra;
    this.#at.set(fragment.index, call);
    this.#latest = call;
  }

  /** Those that have a name. `nameOf` turns the vendor's into ours. */
  finish(nameOf: (name: string) => string): readonly AssembledCall[] {
    return reunited(this.#calls).map(({ name, written, vendorId, extra }) => ({
      call: { name: nameOf(name), ...parsedArguments(written), ...(vendorId === undefined ? {} : { vendorId }) },
      extra,
    }));
  }

  #find(fragment: Fragment): OpenCall | undefined {
    const { id, index } = fragment;
    if (id === undefined) return unlessRestart(index === undefined ? this.#latest : this.#at.get(index), fragment);
    const known = this.#calls.filter(({ key }) => key === id);
    if (known.length > 0) {
      return (
        known.find((call) => call.index === index) ??
        known.findLast((call) => call.index === undefined || index === undefined)
      );
    }
    const here = this.#at.get(index);
    if (here?.key !== undefined || !unlessRestart(here, fragment)) return undefined;
    if (here) Object.assign(here, { key: id, vendorId: id });
    return here;
  }

  #open({ id, index }: Fragment): OpenCall {
    const isRepeated = this.#calls.some(({ key }) => key === id);
    const call: OpenCall = {
      ...{ key: id, vendorId: isRepeated ? undefined : id, index },
      ...{ name: "", written: "", extra: undefined },
    };
    this.#calls.push(call);
    return call;
  }
}

/** A second name, or the same one before new arguments, begins a new call. */
function unlessRestart(call: OpenCall | undefined, { name, written }: Fragment): OpenCall | undefined {
  if (!call || name === "" || call.name === "") return call;
  if (name !== call.name) return undefined;
  return written.trimStart().startsWith("{") && isWholeObject(call.written) ? undefined : call;
}

/**
 * The named calls. Some vendors count on between the head of a call and its arguments, which then look like a call without
 * name or id: they belong to the call before them, unless that has its own.
 */
function reunited(calls: readonly OpenCall[]): readonly OpenCall[] {
  const named: OpenCall[] = [];
  for (const call of calls) {
    const before = named.at(-1);
    if (call.name !== "") named.push({ ...call });
    else if (call.key === undefined && before && !isWholeObject(before.written)) before.written += call.written;
  }
  return named;
}

function fragmentOf(value: Readonly<Record<string, unknown>>, index: number | undefined): Fragment {
  const { id, extra_content: extra } = value;
  const part = isFields(value.function) ? value.function : {};
  const isWhole = isFields(part.arguments);
  return {
    id: typeof id === "string" && id !== "" && id !== "null" ? id : undefined,
    index: index ?? (Number.isInteger(value.index) ? (value.index as number) : undefined),
    name: textOf(part.name),
    written: isWhole ? JSON.stringify(part.arguments) : textOf(part.arguments),
    isWhole,
    extra: isJsonObject(extra) ? extra : undefined,
  };
}
