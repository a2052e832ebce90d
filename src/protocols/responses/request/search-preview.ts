import { isObject, type JsonObject } from "../../fields.ts";
import { objectsOf } from "../../optional.ts";
import type { ClientRequest } from "../../wire.ts";
import { isWebSearch, SEARCH_NAME } from "./read-tools.ts";

/**
 * The vendor still knows the search of an earlier day and sells it for more, on models that do not
 * think. It is asked for the one that the catalogue prices, and the client sees what it asked for.
 */
const PREVIEW = "web_search_preview";

type IsRenamed = (type: unknown) => boolean;

const isPreview: IsRenamed = (type) => typeof type === "string" && type.startsWith(PREVIEW);
const isPresent: IsRenamed = (type) => type === SEARCH_NAME;

/** Tools, or what names them, with some of another type; undefined where there are none of those. */
function renamedList(list: unknown, isRenamed: IsRenamed, type: string): unknown[] | undefined {
  const isOne = (tool: unknown): tool is JsonObject => isObject(tool) && isRenamed(tool.type);
  if (!Array.isArray(list) || !list.some(isOne)) return undefined;
  return list.map((tool) => (isOne(tool) ? { ...tool, type } : tool));
}

function renamedChoice(choice: unknown, isRenamed: IsRenamed, type: string): unknown {
  if (!isObject(choice)) return undefined;
  if (isRenamed(choice.type)) return { ...choice, type };
  const tools = renamedList(choice.tools, isRenamed, type);
  return tools && { ...choice, tools };
}

/** The members of a request or a response in which searches get another type. */
function renamed(body: JsonObject, isRenamed: IsRenamed, type: string): JsonObject {
  const tools = renamedList(body.tools, isRenamed, type);
  const tool_choice = renamedChoice(body.tool_choice, isRenamed, type);
  return { ...(tools && { tools }), ...(tool_choice !== undefined && { tool_choice }) };
}

/** Tools may also stand among the input. */
function renamedInput({ input }: JsonObject): JsonObject {
  const toolsOf = (item: unknown) =>
    isObject(item) ? renamedList(item.tools, isPreview, SEARCH_NAME) : undefined;
  if (!Array.isArray(input) || !input.some(toolsOf)) return {};
  const withTools = (item: unknown) => {
    const tools = toolsOf(item);
    return tools ? { ...(item as JsonObject), tools } : item;
  };
  return { input: input.map(withTools) };
}

/** The members of a request that name the earlier search, with the present one instead. */
export function presentSearch(body: JsonObject): JsonObject {
  return { ...renamed(body, isPreview, SEARCH_NAME), ...renamedInput(body) };
}

/** The name of the earlier search that a request asks for, where it asks for no other. */
export function previewAsked({ webSearch, body }: ClientRequest): string | undefined {
  if (!webSearch) return undefined;
  const holders = [body, ...objectsOf(body.input)];
  const types = holders.flatMap(({ tools }) => objectsOf(tools).map(({ type }) => type));
  const searches = new Set(types.filter(isWebSearch));
  const [only] = searches;
  return searches.size === 1 && isPreview(only) ? String(only) : undefined;
}

/** The members of a response that name the present search, as the client called it. */
export function searchAsAsked(response: JsonObject, preview: string | undefined): JsonObject {
  return preview === undefined ? {} : renamed(response, isPresent, preview);
}
