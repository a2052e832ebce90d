import { type NanoUsd, parseUsd } from "../catalogue/money.ts";
import { isObject, type JsonObject } from "../protocols/fields.ts";
import type { AllowedFeatures } from "../protocols/unpriced.ts";

/** What a channel may be asked for beyond the lists, and what each of it costs a request. */
export interface ChannelFeatures extends AllowedFeatures {
  /** Whether any of it costs something. */
  readonly hasFees: boolean;
  /** What a body costs for what it asks beyond the lists, beside its tokens. */
  fee(body: JsonObject): NanoUsd;
}

/** How a kind of tool is written in the list, beside names of members. */
const TOOL = "tools.";

/** Kinds of tools that a request declares, wherever wires have them: in groups, among the input too. */
function toolsOf({ tools, input }: JsonObject): Set<unknown> {
  const kinds = new Set<unknown>();
  const lists: unknown[] = [tools, ...(Array.isArray(input) ? input.map(innerTools) : [])];
  for (const list of lists) {
    for (const tool of Array.isArray(list) ? list.filter(isObject) : []) {
      kinds.add(tool.type);
      // On one wire the kind is the name of a member.
      for (const name of Object.keys(tool)) kinds.add(name);
      lists.push(innerTools(tool));
    }
  }
  return kinds;
}

/** An empty object asks too: for a vendor's defaults. */
function isAsked(name: string, body: JsonObject): boolean {
  const settings = isObject(body.generationConfig) ? body.generationConfig : {};
  return [body, settings].some((holder) => {
    const value = Object.hasOwn(holder, name) ? holder[name] : undefined;
    return value !== undefined && value !== null && value !== false;
  });
}

function innerTools(holder: unknown): unknown {
  return isObject(holder) ? holder.tools : undefined;
}

/** The operator's list: names of members and `tools.` with a kind, each with dollars per request. */
export function channelFeatures(
  listed: Readonly<Record<string, string>>,
  everything: boolean,
): ChannelFeatures {
  const names = Object.keys(listed);
  const fees = Object.entries(listed).flatMap(([name, text]) => {
    const amount = parseUsd(text) ?? 0n;
    return amount > 0n ? [{ name, amount }] : [];
  });
  const asksFor = (name: string, body: JsonObject) =>
    name.startsWith(TOOL) ? toolsOf(body).has(name.slice(TOOL.length)) : isAsked(name, body);
  return {
    everything,
    hasFees: fees.length > 0,
    members: new Set(names.filter((name) => !name.startsWith(TOOL))),
    tools: new Set(
      names.filter((name) => name.startsWith(TOOL)).map((name) => name.slice(TOOL.length)),
    ),
    fee(body) {
      let sum = 0n;
      for (const { name, amount } of fees) if (asksFor(name, body)) sum += amount;
      return sum;
    },
  };
}
