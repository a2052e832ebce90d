import { createHash } from "node:crypto";
import { newId } from "../../lib/ids.ts";
import type { CallItem, CustomTool, FunctionTool, Tool } from "../canon.ts";
import { isObject, type JsonObject } from "../fields.ts";
import { argumentsValue } from "./call-arguments.ts";

/** Names of functions that every vendor takes. Some take longer ones, dots or a digit at the beginning, and others refuse them. */
const NAME_CHARS_MAX = 64;
const TAKEN = /^[a-zA-Z_][a-zA-Z0-9_-]*$/;
const FOREIGN = /[^a-zA-Z0-9_-]/g;
const NO_LETTER_FIRST = /^(?=[0-9-])/;
const HASH_CHARS = 8;

interface Named {
  readonly name: string;
  readonly namespace?: string | undefined;
}

/** A tool that the client runs, which goes by its name. */
export type NamedTool = FunctionTool | CustomTool;

export function isNamedTool(tool: Tool): tool is NamedTool {
  return tool.type === "function" || tool.type === "custom";
}

/** A tool's name for wires without groups of tools, as every vendor takes it; different tools keep different names. */
export function flatName({ name, namespace }: Named): string {
  const flat = namespace === undefined ? name : `${namespace}__${name}`;
  if (flat.length <= NAME_CHARS_MAX && TAKEN.test(flat)) return flat;
  const hash = createHash("sha256").update(flat).digest("hex").slice(0, HASH_CHARS);
  const clean = flat.replace(FOREIGN, "_").replace(NO_LETTER_FIRST, "_");
  return `${clean.slice(0, NAME_CHARS_MAX - HASH_CHARS - 1)}_${hash}`;
}

/** The same for a wire with groups, whose name a tool has beside its own. */
export function groupedName(named: Named): string {
  return named.namespace === undefined ? flatName(named) : named.name;
}

/** Which tools a list of names speaks of: by their own names, or by their flat ones. */
export function namedIn(names: readonly string[]): (tool: Named) => boolean {
  const known = new Set(names);
  return (tool) => known.has(tool.name) || known.has(flatName(tool));
}

/** The tool that a choice speaks of: by its flat name, or where no group is said by its own name in any of them. */
export function chosenTool(tools: readonly Tool[], choice: Named): NamedTool | undefined {
  const { name, namespace } = choice;
  const named = tools.filter(isNamedTool);
  const flat = flatName(choice);
  const exact = named.find((tool) => flatName(tool) === flat);
  if (exact || namespace !== undefined) return exact;
  return named.find((tool) => tool.name === name);
}

/** A tool that takes free text, for wires where every tool takes JSON. */
export const FREE_TEXT_PARAMETERS: JsonObject = {
  type: "object",
  properties: { input: { type: "string", description: "The whole input of the tool, as text." } },
  required: ["input"],
  additionalProperties: false,
};

export function wrapFreeText(input: string): string {
  return JSON.stringify({ input });
}

function unwrapFreeText(call: CallItem): string {
  const value = argumentsValue(call);
  // A model that did not keep to the form wrote the text itself.
  return isObject(value) && typeof value.input === "string" ? value.input : call.arguments;
}

/** Gives every call an id of its own; some vendors number them anew in each answer, or not at all. */
export class CallIds {
  readonly #given = new Set<string>();

  distinct(id: string | undefined): string {
    const callId = id && !this.#given.has(id) ? id : newId("call_");
    this.#given.add(callId);
    return callId;
  }
}

/** Gives calls their tools' own names back after a wire that knows only flat ones. Holds nothing else of the tools. */
export class ToolNames {
  readonly #tools = new Map<string, Named & { readonly custom: boolean }>();

  constructor(tools: readonly Tool[]) {
    for (const tool of tools.filter(isNamedTool)) {
      const custom = tool.type === "custom";
      if (!custom && tool.namespace === undefined && flatName(tool) === tool.name) continue;
      const { name, namespace } = tool;
      this.#tools.set(flatName(tool), { name, namespace, custom });
    }
  }

  /** Whether the call's arguments mean nothing until they are whole. */
  isWrapped(call: CallItem): boolean {
    return !call.custom && this.#tools.get(call.name)?.custom === true;
  }

  restore(call: CallItem): CallItem {
    const known = this.#tools.get(call.name);
    if (!known || call.namespace !== undefined) return call;
    const { name, namespace } = known;
    const wrapped = this.isWrapped(call);
    const { read, ...unread } = call;
    return {
      ...unread,
      ...(read && !wrapped ? { read } : {}),
      name,
      ...(namespace === undefined ? {} : { namespace }),
      custom: call.custom || known.custom,
      arguments: wrapped && call.arguments ? unwrapFreeText(call) : call.arguments,
    };
  }
}
