import {
  checkContent,
  checkRole,
  checkSchemaFormat,
  checkStreamOptions,
  checkText,
  emptyArray,
  isObject,
  type JsonObject,
  missing,
  noTool,
  noTools,
  optionalArray,
  optionalBoolean,
  optionalInteger,
  optionalNumber,
  optionalObject,
  optionalString,
  optionalWord,
  unsupported,
  wrongType,
  wrongValue,
} from "../fields.ts";
import { isUnpricedMedia } from "../unpriced.ts";
import { isWebSearch } from "./read-tools.ts";

/** The items of a conversation, those included that only some vendors or clients know. */
const ITEM_KINDS = new Set([
  ...["message", "reasoning", "item_reference", "additional_tools", "agent_message"],
  ...["function_call", "function_call_output", "custom_tool_call", "custom_tool_call_output"],
  ...["web_search_call", "file_search_call", "code_interpreter_call", "image_generation_call"],
  ...["computer_call", "computer_call_output", "local_shell_call", "local_shell_call_output"],
  ...["shell_call", "shell_call_output", "apply_patch_call", "apply_patch_call_output"],
  ...["mcp_list_tools", "mcp_approval_request", "mcp_approval_response", "mcp_call"],
  ...["tool_search_call", "tool_search_output", "program", "program_output"],
  ...["compaction", "compaction_summary", "compaction_trigger", "context_compaction"],
  ...["configuration_update", "ghost_snapshot"],
]);

/** What an item of some kinds is nothing without. */
const NEEDED: ReadonlyMap<unknown, string> = new Map([
  ["function_call", "name"],
  ["custom_tool_call", "name"],
  ["function_call_output", "call_id"],
  ["custom_tool_call_output", "call_id"],
]);

const TRUNCATIONS = ["auto", "disabled"];
const FORMATS = ["text", "json_object", "json_schema"];
const TOOL_CHOICES = "expected 'none', 'auto', 'required' or an object that names a tool.";

/** What may be asked for beside an answer. */
const INCLUDED = [
  ...["file_search_call.results", "web_search_call.results", "web_search_call.action.sources"],
  ...["message.input_image.image_url", "computer_call_output.output.image_url"],
  ...["code_interpreter_call.outputs", "reasoning.encrypted_content"],
  "message.output_text.logprobs",
];

function checkPart(part: JsonObject, path: string): void {
  if (isUnpricedMedia(part)) {
    throw unsupported(path, "Audio and video have no price here; send text or images instead.");
  }
  checkText(part, path);
  const isPicture = part.type === "input_image" && (part.file_id ?? undefined) === undefined;
  if (isPicture && (part.image_url ?? undefined) === undefined) throw missing(`${path}.image_url`);
  if (part.file_id !== undefined && part.file_id !== null) {
    throw unsupported(
      `${path}.file_id`,
      "Files of a vendor's account cannot be used here; send the data or an address instead.",
    );
  }
}

function checkKind(type: unknown, path: string): void {
  if (type === undefined || type === null) return;
  if (typeof type !== "string") throw wrongType(path, "a string", type);
  // A name with a colon is a vendor's own.
  if (ITEM_KINDS.has(type) || type.includes(":")) return;
  throw wrongValue(path, `'${type.slice(0, 64)}' is no kind of item that is known here.`);
}

function checkItem(item: unknown, path: string): void {
  if (!isObject(item)) throw wrongType(path, "an object", item);
  checkKind(item.type, `${path}.type`);
  const needed = NEEDED.get(item.type);
  if (needed !== undefined && typeof item[needed] !== "string") throw missing(`${path}.${needed}`);
  const outputs = Array.isArray(item.output) ? item.output : [item.output];
  outputs.forEach((part, i) => {
    const place = Array.isArray(item.output) ? `${path}.output[${i}]` : `${path}.output`;
    if (isObject(part)) checkPart(part, place);
  });
  const isMessage = item.type === "message" || (item.type === undefined && item.id === undefined);
  if (!isMessage && item.role === undefined) return;
  checkRole(item.role, `${path}.role`);
  if (item.content === undefined && item.type !== "additional_tools")
    throw missing(`${path}.content`);
  if (item.content === undefined) return;
  checkContent(item.content, `${path}.content`, item.role);
  if (!Array.isArray(item.content)) return;
  item.content.forEach((part, i) => {
    checkPart(part, `${path}.content[${i}]`);
  });
}

function checkInput(body: JsonObject): void {
  const { input } = body;
  if (input === undefined || input === null) throw missing("input");
  if (typeof input === "string") return;
  if (!Array.isArray(input)) throw wrongType("input", "a string or an array of items", input);
  if (input.length === 0) throw emptyArray("input");
  input.forEach((item, i) => {
    checkItem(item, `input[${i}]`);
  });
}

function checkTools(body: JsonObject): void {
  optionalArray(body, "tools")?.forEach((tool, i) => {
    const path = `tools[${i}]`;
    if (!isObject(tool)) throw wrongType(path, "an object", tool);
    if (typeof tool.type !== "string" || tool.type === "") throw missing(`${path}.type`);
    const named = ["function", "custom", "namespace"].includes(tool.type);
    if (named && (typeof tool.name !== "string" || tool.name === "")) throw missing(`${path}.name`);
  });
}

/** Whether a tool, or a choice, is a function or a free text that goes by its name. */
function isNamed(tool: JsonObject): boolean {
  return ["function", "custom", "tool"].includes(String(tool.type));
}

/** Every tool of a request: those among its input and those in groups too. */
function declaredTools(body: JsonObject): readonly JsonObject[] {
  const items = Array.isArray(body.input) ? body.input.filter(isObject) : [];
  const within = (tools: unknown): JsonObject[] =>
    Array.isArray(tools)
      ? tools.filter(isObject).flatMap((tool) => [tool, ...within(tool.tools)])
      : [];
  return [body, ...items].flatMap(({ tools }) => within(tools));
}

function isDeclared(choice: JsonObject, tools: readonly JsonObject[]): boolean {
  if (isWebSearch(choice.type)) return tools.some(({ type }) => isWebSearch(type));
  if (!isNamed(choice)) return tools.some(({ type }) => type === choice.type);
  return tools.some((tool) => isNamed(tool) && tool.name === choice.name);
}

/** What must be called must be there to be called. */
function checkToolChoice(body: JsonObject): void {
  const choice = body.tool_choice;
  if (choice === undefined || choice === null) return;
  const word = isObject(choice) ? choice.type : choice;
  if (word === "auto" || word === "none") return;
  const tools = declaredTools(body);
  // What it goes on from may have declared some among its input.
  if (typeof body.previous_response_id === "string" && tools.length === 0) return;
  if (word === "required") {
    if (tools.length === 0) throw noTools("required", "tools");
    return;
  }
  if (!isObject(choice)) throw wrongValue("tool_choice", TOOL_CHOICES);
  if (typeof choice.type !== "string") throw missing("tool_choice.type");
  if (choice.type === "allowed_tools") {
    if (choice.mode === "required" && tools.length === 0) throw noTools("allowed_tools", "tools");
    return;
  }
  if (isNamed(choice) && typeof choice.name !== "string") throw missing("tool_choice.name");
  if (!isDeclared(choice, tools)) throw noTool(choice.name ?? choice.type, "tools");
}

function checkFormat(body: JsonObject): void {
  const { format } = optionalObject(body, "text") ?? {};
  if (format === undefined || format === null) return;
  if (!isObject(format)) throw wrongType("text.format", "an object", format);
  if (format.type === undefined || format.type === null) throw missing("text.format.type");
  if (!FORMATS.includes(String(format.type))) {
    throw wrongValue("text.format.type", `expected one of ${FORMATS.join(", ")}.`);
  }
  if (format.type === "json_schema") checkSchemaFormat(format, "text.format");
}

function checkInclude(body: JsonObject): void {
  optionalArray(body, "include")?.forEach((wanted, i) => {
    const path = `include[${i}]`;
    if (typeof wanted !== "string") throw wrongType(path, "a string", wanted);
    if (INCLUDED.includes(wanted)) return;
    const shown = `'${wanted.slice(0, 64)}'`;
    throw wrongValue(path, `${shown}. Supported values are: ${INCLUDED.join(", ")}.`);
  });
}

function checkSettings(body: JsonObject): void {
  optionalNumber(body, "temperature", { min: 0, max: 2 });
  optionalNumber(body, "top_p", { min: 0, max: 1 });
  optionalNumber(body, "presence_penalty", { min: -2, max: 2 });
  optionalNumber(body, "frequency_penalty", { min: -2, max: 2 });
  optionalInteger(body, "top_logprobs", { min: 0, max: 20 });
  optionalInteger(body, "max_tool_calls", { min: 1, max: 10_000 });
  optionalBoolean(body, "parallel_tool_calls");
  optionalBoolean(body, "store");
  optionalString(body, "instructions");
  optionalString(body, "previous_response_id");
  optionalString(body, "service_tier");
  optionalObject(body, "reasoning");
  checkFormat(body);
  checkInclude(body);
  optionalWord(body, "truncation", TRUNCATIONS);
  const metadata = optionalObject(body, "metadata") ?? {};
  for (const [name, value] of Object.entries(metadata)) {
    if (typeof value !== "string") throw wrongType(`metadata.${name}`, "a string", value);
  }
}

function refuseForeignState(body: JsonObject): void {
  if (optionalBoolean(body, "background")) {
    throw unsupported(
      "background",
      "Background responses are not offered; set 'background' to false.",
    );
  }
  if (body.conversation !== undefined && body.conversation !== null) {
    throw unsupported(
      "conversation",
      "Conversations are not kept here; continue with 'previous_response_id' instead.",
    );
  }
  if (body.prompt !== undefined && body.prompt !== null) {
    throw unsupported(
      "prompt",
      "Prompt templates are not kept here; send 'instructions' and 'input'.",
    );
  }
}

/** Everything of a request but its model and the numbers that are counted by. */
export function checkResponsesBody(body: JsonObject): void {
  checkInput(body);
  checkStreamOptions(body);
  refuseForeignState(body);
  checkTools(body);
  checkToolChoice(body);
  checkSettings(body);
}
