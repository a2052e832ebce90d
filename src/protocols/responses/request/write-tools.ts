import type { Conversation, Tool } from "../../canon.ts";
import type { JsonObject } from "../../fields.ts";
import { present } from "../../optional.ts";
import {
  flatName,
  groupedName,
  isNamedTool,
  type NamedTool,
} from "../../translation/tool-names.ts";
import { SEARCH_NAME } from "./read-tools.ts";

const NO_PARAMETERS: JsonObject = { type: "object", properties: {} };

function writeNamed(tool: NamedTool): JsonObject {
  const shared = { type: tool.type, name: groupedName(tool) };
  const description = present({ description: tool.description });
  if (tool.type === "custom") {
    return { ...shared, ...description, ...present({ format: tool.format }) };
  }
  // Left out, it means something else on this wire than on those that the request may come from.
  const strict = tool.strict ?? false;
  return { ...shared, ...description, parameters: tool.parameters ?? NO_PARAMETERS, strict };
}

/** Tools of a group stand together, where the first of them stood. */
function writeGroup(tools: readonly NamedTool[], namespace: string): JsonObject {
  return {
    type: "namespace",
    name: namespace,
    description: namespace,
    tools: tools.map(writeNamed),
  };
}

/** The tools of a conversation; what the vendor cannot run is left out by name. */
export function writeTools(
  tools: readonly Tool[],
  webSearch: boolean,
  dropped: Set<string>,
): JsonObject[] {
  const members = Map.groupBy(tools.filter(isNamedTool), ({ namespace }) => namespace);
  const groups = new Set<string>();
  return tools.flatMap((tool): JsonObject[] => {
    if (isNamedTool(tool)) {
      const { namespace } = tool;
      if (namespace === undefined) return [writeNamed(tool)];
      if (groups.has(namespace)) return [];
      groups.add(namespace);
      return [writeGroup(members.get(namespace) ?? [], namespace)];
    }
    if (tool.type === "web_search" && webSearch) return [{ ...tool.settings, type: SEARCH_NAME }];
    dropped.add(tool.type === "web_search" ? SEARCH_NAME : tool.path);
    return [];
  });
}

/** The first tool of each flat name, and of each name that stands in no group or in one. */
function byName(tools: readonly Tool[]) {
  const known = new Map<string, NamedTool>();
  const add = (name: string, tool: NamedTool) => known.has(name) || known.set(name, tool);
  for (const tool of tools.filter(isNamedTool)) {
    add(`flat ${flatName(tool)}`, tool);
    add(`own ${tool.namespace ?? ""} ${tool.name}`, tool);
  }
  return (name: string, namespace: string | undefined) =>
    known.get(`flat ${name}`) ?? known.get(`own ${namespace ?? ""} ${name}`);
}

/** How choices of a conversation name a tool; undefined for a search that is not offered. */
function chooser({ tools }: Conversation, webSearch: boolean) {
  const find = byName(tools);
  const searches = tools.some(({ type }) => type === "web_search");
  return (name: string, namespace?: string): JsonObject | undefined => {
    const tool = find(name, namespace);
    if (tool) {
      const { type, namespace: group } = tool;
      return { type, name: groupedName(tool), ...present({ namespace: group }) };
    }
    if (name !== SEARCH_NAME || !searches) return { type: "function", name };
    return webSearch ? { type: SEARCH_NAME } : undefined;
  };
}

/** The choice of tools; undefined where nothing can be said, or nothing is left to choose from. */
export function writeToolChoice(conversation: Conversation, webSearch: boolean): unknown {
  const choice = conversation.toolChoice;
  if (!choice) return undefined;
  if (choice.mode !== "allowed" && choice.mode !== "tool") return choice.mode;
  const chosen = chooser(conversation, webSearch);
  if (choice.mode === "tool") return chosen(choice.name, choice.namespace);
  const tools = choice.names.flatMap((name) => chosen(name) ?? []);
  // None of them may be called: the others must not be either.
  if (tools.length === 0) return "none";
  return { type: "allowed_tools", mode: choice.required ? "required" : "auto", tools };
}
