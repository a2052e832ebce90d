import {
  checkNamed,
  checkSchemaFormat,
  checkWord,
  eachObject,
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
  wrongType,
  wrongValue,
} from "../../fields.ts";
import {
  checkFunction,
  checkMetadata,
  checkNames,
  checkStreamOptions,
  VERBOSITIES,
} from "../../openai-fields.ts";
import { objectsOf } from "../../optional.ts";
import { refuseUnoffered } from "../../unoffered-fields.ts";
import { checkInput } from "./check-items.ts";
import { isWebSearch } from "./read-tools.ts";

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

/** Tools of a request, or of a group among them. */
function checkTools(holder: JsonObject, place: string): void {
  eachObject(optionalArray(holder, "tools", place), place, (tool, path) => {
    if (typeof tool.type !== "string" || tool.type === "") throw missing(`${path}.type`);
    if (!["function", "custom", "namespace"].includes(tool.type)) return;
    checkNamed(tool, path);
    checkFunction(tool, path);
    optionalObject(tool, "format", `${path}.format`);
    if (tool.type === "namespace") checkTools(tool, `${path}.tools`);
  });
}

/** Whether a tool, or a choice, is a function or a free text that goes by its name. */
function isNamed(tool: JsonObject): boolean {
  return ["function", "custom", "tool"].includes(String(tool.type));
}

/** Every tool of a request: those among its input and those in groups too. */
function declaredTools(body: JsonObject): readonly JsonObject[] {
  const within = (tools: unknown): JsonObject[] =>
    objectsOf(tools).flatMap((tool) => [tool, ...within(tool.tools)]);
  return [body, ...objectsOf(body.input)].flatMap(({ tools }) => within(tools));
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

function checkText(body: JsonObject): void {
  const shape = optionalObject(body, "text") ?? {};
  optionalWord(shape, "verbosity", VERBOSITIES, "text.verbosity");
  const format = optionalObject(shape, "format", "text.format");
  if (!format) return;
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
    checkWord(wanted, INCLUDED, path);
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
  const reasoning = optionalObject(body, "reasoning") ?? {};
  optionalString(reasoning, "effort", "reasoning.effort");
  optionalString(reasoning, "summary", "reasoning.summary");
  optionalArray(body, "context_management");
  optionalObject(body, "prompt_cache_options");
  checkText(body);
  checkInclude(body);
  checkNames(body);
  optionalWord(body, "truncation", TRUNCATIONS);
  checkMetadata(body);
}

/** Everything of a request but its model and the numbers that are counted by. */
export function checkResponsesBody(body: JsonObject): void {
  checkInput(body);
  checkStreamOptions(body);
  optionalBoolean(body, "background");
  refuseUnoffered("responses", body);
  checkTools(body, "tools");
  checkToolChoice(body);
  checkSettings(body);
}
