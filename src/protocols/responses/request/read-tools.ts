import type { Tool, ToolChoice } from "../../canon.ts";
import { isObject, type JsonObject } from "../../fields.ts";
import { boolean, number, present, text } from "../../optional.ts";
import { flatName, isNamedTool } from "../../translation/tool-names.ts";

/** The name by which a choice of tools means the vendor's own search. */
export const SEARCH_NAME = "web_search";

export function isWebSearch(type: unknown): boolean {
  return typeof type === "string" && type.startsWith(SEARCH_NAME);
}

interface ToolPosition {
  readonly path: string;
  readonly namespace?: string | undefined;
  readonly maxCalls?: number | undefined;
}

function readNamed(raw: JsonObject, namespace: string | undefined): Tool {
  const name = text(raw.name) ?? "";
  const shared = { name, ...present({ namespace, description: text(raw.description) }) };
  if (raw.type === "custom") {
    const format = isObject(raw.format) && raw.format.type !== "text" ? raw.format : undefined;
    return { type: "custom", ...shared, ...present({ format }) };
  }
  const parameters = isObject(raw.parameters) ? raw.parameters : undefined;
  const strict = boolean(raw.strict);
  return { type: "function", ...shared, ...present({ parameters, strict }) };
}

function readTool(raw: unknown, { path, namespace, maxCalls }: ToolPosition): Tool[] {
  if (!isObject(raw)) return [{ type: "foreign", path }];
  if (raw.type === "function" || raw.type === "custom") return [readNamed(raw, namespace)];
  if (isWebSearch(raw.type) && namespace === undefined) {
    const { type: _type, ...settings } = raw;
    return [{ type: "web_search", settings, ...present({ maxCalls }) }];
  }
  const isGroup = raw.type === "namespace" && namespace === undefined && Array.isArray(raw.tools);
  if (!isGroup) return [{ type: "foreign", path }];
  return readList(raw.tools, { path: `${path}.tools`, namespace: text(raw.name) ?? "" });
}

function readList(list: unknown, position: ToolPosition): Tool[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((raw, i) => readTool(raw, { ...position, path: `${position.path}[${i}]` }));
}

/** The tools of a request, those that stand among its input included; groups lie flat. */
export function readTools(body: JsonObject): Tool[] {
  const maxCalls = number(body.max_tool_calls);
  const items = Array.isArray(body.input) ? body.input : [];
  return [
    ...readList(body.tools, { path: "tools", maxCalls }),
    ...items.flatMap((item, i) =>
      isObject(item) ? readList(item.tools, { path: `input[${i}].tools`, maxCalls }) : [],
    ),
  ];
}

const MODES = ["auto", "none", "required"] as const;

/** The flat names of the tools in each group. */
function groupsOf(tools: readonly Tool[]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const tool of tools.filter(isNamedTool)) {
    if (tool.namespace === undefined) continue;
    const group = groups.get(tool.namespace) ?? [];
    group.push(flatName(tool));
    groups.set(tool.namespace, group);
  }
  return groups;
}

/** The flat names that the entries of `allowed_tools` stand for, each once: tools, or whole groups. */
function allowedNames(entries: readonly JsonObject[], tools: readonly Tool[]): string[] {
  const groups = groupsOf(tools);
  const named = new Set<string>();
  const grouped = new Set<string>();
  for (const entry of entries) {
    const name = isWebSearch(entry.type) ? SEARCH_NAME : text(entry.name);
    if (name === undefined) continue;
    if (isWebSearch(entry.type)) named.add(name);
    else if (entry.type !== "namespace") {
      named.add(flatName({ name, namespace: text(entry.namespace) }));
    } else if (!grouped.has(name)) {
      grouped.add(name);
      for (const flat of groups.get(name) ?? []) named.add(flat);
    }
  }
  return [...named];
}

function readChosen(choice: JsonObject, tools: readonly Tool[]): ToolChoice | undefined {
  if (choice.type === "allowed_tools") {
    const entries = Array.isArray(choice.tools) ? choice.tools.filter(isObject) : [];
    const names = allowedNames(entries, tools);
    return { mode: "allowed", names, required: choice.mode === "required" };
  }
  if (isWebSearch(choice.type)) {
    const declared = tools.some((tool) => tool.type === "web_search");
    return declared ? { mode: "tool", name: SEARCH_NAME } : undefined;
  }
  const name = text(choice.name);
  // `tool` is what some editors write for a function.
  const isNamed = ["function", "custom", "tool"].includes(String(choice.type));
  if (!isNamed || name === undefined) return undefined;
  return { mode: "tool", name, ...present({ namespace: text(choice.namespace) }) };
}

/** Which tools may or must be called; undefined where the client says nothing that can be told. */
export function readToolChoice(choice: unknown, tools: readonly Tool[]): ToolChoice | undefined {
  const word = isObject(choice) ? choice.type : choice;
  const mode = MODES.find((known) => known === word);
  if (mode) return { mode };
  return isObject(choice) ? readChosen(choice, tools) : undefined;
}
