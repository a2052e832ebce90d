import type { Format, SearchTool, Tool, ToolChoice } from "../../canon.ts";
import { isObject, type JsonObject, wrongValue } from "../../fields.ts";
import { boolean, objectOf, objectsOf, present, text, textOf } from "../../optional.ts";

function readFunction(inner: JsonObject): Tool {
  const { name, description, parameters, strict } = inner;
  return {
    type: "function",
    name: String(name),
    ...present({
      description: text(description),
      parameters: isObject(parameters) ? parameters : undefined,
      strict: boolean(strict),
    }),
  };
}

/** This wire keeps a grammar one level deeper than the shared form. */
function flatFormat(format: unknown): { format?: JsonObject } {
  if (!isObject(format)) return {};
  const { grammar, ...rest } = format;
  return { format: isObject(grammar) ? { ...rest, ...grammar } : format };
}

export function readTool(tool: unknown, path: string): Tool {
  const { type, function: fn, custom } = isObject(tool) ? tool : ({} as JsonObject);
  if (type === "function" && isObject(fn)) return readFunction(fn);
  if (type !== "custom" || !isObject(custom)) return { type: "foreign", path };
  return {
    type: "custom",
    name: String(custom.name),
    ...present({ description: text(custom.description) }),
    ...flatFormat(custom.format),
  };
}

function readSearch(body: JsonObject): SearchTool[] {
  const { web_search_options: options, max_tool_calls: max } = body;
  if (!isObject(options)) return [];
  const { user_location: where, ...rest } = options;
  const place = isObject(where) && isObject(where.approximate) ? where.approximate : undefined;
  const location = place ? { user_location: { type: "approximate", ...place } } : {};
  const maxCalls = typeof max === "number" ? { maxCalls: max } : {};
  return [{ type: "web_search", settings: { ...rest, ...location }, ...maxCalls }];
}

/** All tools of a request, those of the older form and the vendor's search included. */
export function readTools(body: JsonObject): Tool[] {
  const tools = Array.isArray(body.tools) ? body.tools : [];
  return [
    ...tools.map((tool, i) => readTool(tool, `tools[${i}]`)),
    ...objectsOf(body.functions).map(readFunction),
    ...readSearch(body),
  ];
}

function toolName(choice: JsonObject): string | undefined {
  const inner = choice.function ?? choice.custom ?? choice;
  return isObject(inner) && typeof inner.name === "string" ? inner.name : undefined;
}

function readAllowed(allowed: JsonObject): ToolChoice {
  const names = objectsOf(allowed.tools).flatMap((tool) => toolName(tool) ?? []);
  return { mode: "allowed", names, required: allowed.mode === "required" };
}

export function readToolChoice(body: JsonObject): ToolChoice | undefined {
  const param = body.tool_choice === undefined ? "function_call" : "tool_choice";
  const choice = body[param];
  if (choice === undefined || choice === null) return undefined;
  if (choice === "auto" || choice === "none" || choice === "required") return { mode: choice };
  if (isObject(choice)) {
    if (isObject(choice.allowed_tools)) return readAllowed(choice.allowed_tools);
    const name = toolName(choice);
    if (name !== undefined) return { mode: "tool", name };
  }
  throw wrongValue(param, "expected 'none', 'auto', 'required' or the name of a tool.");
}

export function readFormat(body: JsonObject): Format | undefined {
  const format = body.response_format;
  if (!isObject(format) || format.type === "text") return undefined;
  if (format.type === "json_object") return { type: "json_object" };
  if (format.type !== "json_schema") {
    throw wrongValue("response_format.type", "expected 'text', 'json_object' or 'json_schema'.");
  }
  const { name, schema, strict, description } = objectOf(format.json_schema);
  return {
    type: "json_schema",
    name: textOf(name) || "answer",
    schema: objectOf(schema),
    ...present({ strict: boolean(strict), description: text(description) }),
  };
}
