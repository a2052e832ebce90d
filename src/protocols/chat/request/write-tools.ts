import type { CallItem, CustomTool, Format, SearchTool, Tool, ToolChoice } from "../../canon.ts";
import { isObject, type JsonObject } from "../../fields.ts";
import {
  chosenTool,
  FREE_TEXT_PARAMETERS,
  flatName,
  isNamedTool,
  type NamedTool,
  namedIn,
  wrapFreeText,
} from "../../translation/tool-names.ts";
import type { Dialect } from "../../wire.ts";

/** Vendors refuse functions without any. */
const NO_PARAMETERS: JsonObject = { type: "object", properties: {} };

/** A custom tool as a function of one text. The grammar goes where the model can read it. */
function wrappedTool(tool: CustomTool): JsonObject {
  const { syntax, definition } = tool.format ?? {};
  const grammar =
    typeof definition === "string"
      ? `The input must match this grammar (${String(syntax ?? "lark")}):\n${definition}`
      : undefined;
  const description = [tool.description, grammar].filter((text) => text).join("\n\n");
  return {
    type: "function",
    function: {
      name: flatName(tool),
      ...(description ? { description } : {}),
      parameters: FREE_TEXT_PARAMETERS,
    },
  };
}

function nestedFormat(format: JsonObject | undefined): JsonObject {
  if (!format) return {};
  const { type, ...grammar } = format;
  return { format: type === "grammar" ? { type, grammar } : format };
}

function customTool(tool: CustomTool): JsonObject {
  const { description, format } = tool;
  const told = description === undefined ? {} : { description };
  return {
    type: "custom",
    custom: { name: flatName(tool), ...told, ...nestedFormat(format) },
  };
}

/** A tool that the client runs, in the form that the vendor knows; undefined for all others. */
export function writeTool(tool: Tool, dialect: Dialect): JsonObject | undefined {
  if (tool.type === "custom") return dialect.customTools ? customTool(tool) : wrappedTool(tool);
  if (tool.type !== "function") return undefined;
  const { description, parameters, strict } = tool;
  return {
    type: "function",
    function: {
      name: flatName(tool),
      ...(description === undefined ? {} : { description }),
      parameters: parameters ?? NO_PARAMETERS,
      ...(strict === undefined ? {} : { strict }),
    },
  };
}

export function writeCall(call: CallItem, dialect: Dialect, name = flatName(call)): JsonObject {
  const id = call.callId;
  if (call.custom && dialect.customTools) {
    return { id, type: "custom", custom: { name, input: call.arguments } };
  }
  const given = call.arguments === "" ? "{}" : call.arguments;
  const text = call.custom ? wrapFreeText(call.arguments) : given;
  return { id, type: "function", function: { name, arguments: text } };
}

/** The tools that remain under the choice: a vendor without `allowed_tools` gets only those. */
export function allowedTools(
  tools: readonly Tool[],
  choice: ToolChoice | undefined,
  dialect: Dialect,
): readonly Tool[] {
  if (choice?.mode !== "allowed" || dialect.customTools) return tools;
  const isChosen = namedIn(choice.names);
  return tools.filter(
    (tool) => tool.type === "web_search" || (isNamedTool(tool) && isChosen(tool)),
  );
}

function choiceOf(tool: NamedTool, dialect: Dialect): JsonObject {
  const name = flatName(tool);
  return tool.type === "custom" && dialect.customTools
    ? { type: "custom", custom: { name } }
    : { type: "function", function: { name } };
}

/** The member `tool_choice`; undefined where the vendor would refuse it or it says nothing. */
export function writeToolChoice(
  choice: ToolChoice | undefined,
  tools: readonly Tool[],
  dialect: Dialect,
): unknown {
  if (!choice) return undefined;
  if (choice.mode === "tool") {
    const tool = chosenTool(tools, choice);
    return tool && choiceOf(tool, dialect);
  }
  if (choice.mode !== "allowed") return choice.mode;
  const mode = choice.required ? "required" : "auto";
  if (!dialect.customTools) return mode;
  const allowed = tools.filter(isNamedTool).filter(namedIn(choice.names));
  const named = allowed.map((tool) => choiceOf(tool, dialect));
  return { type: "allowed_tools", allowed_tools: { mode, tools: named } };
}

/** Search settings as this wire has them: the place one level deeper. */
export function writeSearch(tool: SearchTool): JsonObject {
  const { search_context_size: size, user_location: where } = tool.settings;
  const { type: _, ...approximate } = isObject(where) ? where : ({} as JsonObject);
  const location = { user_location: { type: "approximate", approximate } };
  return {
    ...(size === undefined ? {} : { search_context_size: size }),
    ...(Object.keys(approximate).length > 0 ? location : {}),
  };
}

export function writeFormat(format: Format, dialect: Dialect): JsonObject {
  if (format.type === "json_object" || dialect.jsonSchema === false) return { type: "json_object" };
  const { type, ...json_schema } = format;
  return { type, json_schema };
}

/**
 * The messages for a vendor that knows JSON but no schemas: the schema becomes part of the
 * instructions. Such vendors also refuse to write JSON for a conversation that does not name it.
 */
export function withSchema(messages: readonly JsonObject[], format: Format): JsonObject[] {
  if (format.type !== "json_schema") return [...messages];
  const schema = JSON.stringify(format.schema);
  const text = `Answer with one JSON object that matches this JSON schema:\n${schema}`;
  const [first, ...rest] = messages;
  if (first?.role === "system" && typeof first.content === "string") {
    return [{ ...first, content: `${first.content}\n\n${text}` }, ...rest];
  }
  return [{ role: "system", content: text }, ...messages];
}
