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
import { checkTier } from "../../unpriced.ts";
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

/** Tools that have a name of the client's own. */
const DECLARED = ["function", "custom", "namespace"];

function checkTool(tool: JsonObject, path: string): void {
  const { type } = tool;
  if (typeof type !== "string" || type === "") throw missing(`${path}.type`);
  if (!DECLARED.includes(type)) return;
  checkNamed(tool, path);
  checkFunction(tool, path);
  optionalObject(tool, "format", path);
  // A group has tools of its own.
  if (type !== "namespace") return;
  eachObject(optionalArray(tool, "tools", path), `${path}.tools`, checkTool);
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
  const shape = optionalObject(body, "text");
  if (!shape) return;
  optionalWord(shape, "verbosity", VERBOSITIES, "text");
  const format = optionalObject(shape, "format", "text");
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
  optionalNumber(body, "temperature", 0, 2);
  optionalNumber(body, "top_p", 0, 1);
  optionalNumber(body, "presence_penalty", -2, 2);
  optionalNumber(body, "frequency_penalty", -2, 2);
  optionalInteger(body, "top_logprobs", 0, 20);
  optionalInteger(body, "max_tool_calls", 1, 10_000);
  optionalBoolean(body, "parallel_tool_calls");
  optionalBoolean(body, "store");
  optionalString(body, "instructions");
  optionalString(body, "previous_response_id");
  checkTier(body);
  const reasoning = optionalObject(body, "reasoning");
  if (reasoning) {
    optionalString(reasoning, "effort", "reasoning");
    optionalString(reasoning, "summary", "reasoning");
  }
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
  eachObject(optionalArray(body, "tools"), "tools", checkTool);
  checkToolChoice(body);
  checkSettings(body);
}
