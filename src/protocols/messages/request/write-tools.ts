import type { Conversation, SearchTool, Tool, ToolChoice } from "../../canon.ts";
import { isObject, type JsonObject } from "../../fields.ts";
import {
  chosenTool,
  FREE_TEXT_PARAMETERS,
  flatName,
  namedIn,
} from "../../translation/tool-names.ts";
import type { UpstreamOptions } from "../../wire.ts";
import { closedSchema } from "./schema.ts";
import type { WrittenMessage } from "./write-messages.ts";

/** The version of the search that every model of the vendor knows. */
const WEB_SEARCH = "web_search_20250305";

function objectSchema(parameters: JsonObject | undefined, strict: boolean): JsonObject {
  const schema = { ...parameters, type: "object" };
  return strict ? closedSchema(schema) : schema;
}

function writeSearchTool({ settings, maxCalls }: SearchTool, searchesMax: number): JsonObject {
  const filters = isObject(settings.filters) ? settings.filters : {};
  const location = settings.user_location;
  return {
    type: WEB_SEARCH,
    name: "web_search",
    max_uses: Math.min(maxCalls ?? searchesMax, searchesMax),
    ...(Array.isArray(filters.allowed_domains) ? { allowed_domains: filters.allowed_domains } : {}),
    ...(Array.isArray(filters.blocked_domains) ? { blocked_domains: filters.blocked_domains } : {}),
    ...(isObject(location) ? { user_location: { ...location, type: "approximate" } } : {}),
  };
}

/** The grammar of a tool that takes free text, for a model that can only be told about it. */
function freeTextDescription(description: string | undefined, format: JsonObject | undefined) {
  const grammar = format?.definition;
  if (typeof grammar !== "string") return description;
  const told = `The input must follow this grammar:\n${grammar}`;
  return description === undefined ? told : `${description}\n\n${told}`;
}

function writeTool(
  tool: Tool,
  { webSearch, searchesMax }: UpstreamOptions,
  dropped: string[],
): JsonObject[] {
  switch (tool.type) {
    case "foreign":
      dropped.push(tool.path);
      return [];
    case "web_search":
      if (webSearch) return [writeSearchTool(tool, searchesMax)];
      dropped.push("tools.web_search");
      return [];
    case "custom": {
      const description = freeTextDescription(tool.description, tool.format);
      return [
        {
          name: flatName(tool),
          ...(description === undefined ? {} : { description }),
          input_schema: FREE_TEXT_PARAMETERS,
        },
      ];
    }
    default: {
      const strict = tool.strict === true;
      return [
        {
          name: flatName(tool),
          ...(tool.description === undefined ? {} : { description: tool.description }),
          input_schema: objectSchema(tool.parameters, strict),
          ...(strict ? { strict } : {}),
        },
      ];
    }
  }
}

/** Which tools are left under a choice. */
function allowedBy(choice: ToolChoice | undefined): (tool: Tool) => boolean {
  if (choice?.mode !== "allowed") return () => true;
  const isChosen = namedIn(choice.names);
  const searches = choice.names.some((name) => name.startsWith("web_search"));
  return (tool) => {
    if (tool.type === "web_search") return searches;
    return tool.type !== "foreign" && isChosen(tool);
  };
}

/** The choice in the names that were written; undefined where it names a tool that is not offered. */
function writtenChoice(
  { tools, toolChoice }: Conversation,
  written: readonly JsonObject[],
  dropped: string[],
): ToolChoice | undefined {
  if (toolChoice?.mode !== "tool") return toolChoice;
  const name = flatName(chosenTool(tools, toolChoice) ?? toolChoice);
  if (written.some((tool) => tool.name === name)) return { mode: "tool", name };
  dropped.push("tool_choice");
  return undefined;
}

function writeChoice(choice: ToolChoice | undefined, single: boolean): JsonObject | undefined {
  const alone = single ? { disable_parallel_tool_use: true } : {};
  switch (choice?.mode) {
    case "none":
      return { type: "none" };
    case "required":
      return { type: "any", ...alone };
    case "tool":
      return { type: "tool", name: choice.name, ...alone };
    case "allowed":
      return { type: choice.required ? "any" : "auto", ...alone };
    default:
      return choice || single ? { type: "auto", ...alone } : undefined;
  }
}

/** Names of the tools that were called earlier. */
function calledNames(messages: readonly WrittenMessage[]): string[] {
  const blocks = messages.flatMap(({ content }) => content);
  return [
    ...new Set(blocks.flatMap(({ type, name }) => (type === "tool_use" ? String(name) : []))),
  ];
}

interface WrittenTools {
  readonly tools?: readonly JsonObject[];
  readonly tool_choice?: JsonObject;
}

export function writeTools(
  conversation: Conversation,
  messages: readonly WrittenMessage[],
  options: UpstreamOptions,
  dropped: string[],
): WrittenTools {
  const { toolChoice, parallelToolCalls } = conversation;
  // This wire has no list of allowed tools, so that the others are not declared at all.
  const tools = conversation.tools
    .filter(allowedBy(toolChoice))
    .flatMap((tool) => writeTool(tool, options, dropped));
  if (tools.length > 0) {
    const choice = writtenChoice(conversation, tools, dropped);
    const tool_choice = writeChoice(choice, parallelToolCalls === false);
    return { tools, ...(tool_choice ? { tool_choice } : {}) };
  }
  const names = calledNames(messages);
  if (names.length === 0) return {};
  // Earlier calls may not stand alone: their tools are declared, and may not be called again.
  return {
    tools: names.map((name) => ({ name, input_schema: { type: "object" } })),
    tool_choice: { type: "none" },
  };
}
