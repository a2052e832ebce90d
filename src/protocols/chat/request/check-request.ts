import {
  checkNamed,
  checkSchemaFormat,
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
  optionalWord,
  requiredList,
  requiredObject,
  requiredString,
  shownName,
  unsupported,
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
import { refuseUnoffered } from "../../unoffered-fields.ts";
import { checkTier } from "../../unpriced.ts";
import { checkMessage } from "./check-messages.ts";
import { checkThinking } from "./thinking.ts";

function checkTool(tool: JsonObject, path: string): void {
  const { type } = tool;
  if (typeof type !== "string" || type === "") throw missing(`${path}.type`);
  if (type !== "function" && type !== "custom") return;
  const place = `${path}.${type}`;
  const inner = tool[type];
  if (!isObject(inner)) throw missing(place);
  checkDeclared(inner, place);
}

function checkDeclared(declared: JsonObject, path: string): void {
  checkNamed(declared, path);
  checkFunction(declared, path);
}

/** What may be called, in the older form too. */
function checkTools(body: JsonObject): void {
  eachObject(optionalArray(body, "tools"), "tools", checkTool);
  eachObject(optionalArray(body, "functions"), "functions", checkDeclared);
}

/** The names of all tools of a request, in the older form too. */
function toolNames(body: JsonObject): readonly unknown[] {
  const named = (tool: unknown) => {
    if (!isObject(tool)) return [];
    const inner = tool.function ?? tool.custom ?? tool;
    return isObject(inner) ? [inner.name ?? tool.type] : [];
  };
  const list = (value: unknown) => (Array.isArray(value) ? value : []);
  return [...list(body.tools), ...list(body.functions)].flatMap(named);
}

function chosenName(choice: JsonObject): unknown {
  const inner = choice.function ?? choice.custom ?? choice;
  return isObject(inner) ? inner.name : undefined;
}

/** What must be called must be there to be called. */
function checkChoice(body: JsonObject, param: "tool_choice" | "function_call"): void {
  const choice = body[param];
  if (choice === undefined || choice === null || choice === "auto" || choice === "none") return;
  const where = param === "tool_choice" ? "tools" : "functions";
  const names = toolNames(body);
  // `any` is what some vendors of this wire call it.
  if (choice === "required" || choice === "any") {
    if (names.length === 0) throw noTools(choice, where, param);
    return;
  }
  if (!isObject(choice)) {
    throw wrongValue(param, "expected 'none', 'auto', 'required' or the name of a tool.");
  }
  if (isObject(choice.allowed_tools)) {
    const must = choice.allowed_tools.mode === "required";
    if (must && names.length === 0) throw noTools("allowed_tools", where, param);
    return;
  }
  const name = chosenName(choice);
  if (name === undefined) {
    if (param === "function_call") throw missing("function_call.name");
    if (choice.type === "function" || choice.type === "custom")
      throw missing(`${param}.${choice.type}.name`);
  } else if (!names.includes(name)) throw noTool(name, where, param);
}

function checkFormat(body: JsonObject): void {
  const format = optionalObject(body, "response_format");
  if (!format) return;
  requiredString(format, "type", "response_format");
  if (format.type !== "json_schema") return;
  const schema = requiredObject(format, "json_schema", "response_format");
  // This wire lets the schema itself be missing: any JSON will do then.
  checkSchemaFormat({ schema: {}, ...schema }, "response_format.json_schema");
}

/** A text or several, at which an answer ends. */
function checkStop({ stop }: JsonObject): void {
  if (stop === undefined || stop === null) return;
  const all = Array.isArray(stop) ? stop : [stop];
  if (all.every((each) => typeof each === "string")) return;
  throw wrongType("stop", "a string or an array of strings", stop);
}

function checkBias(body: JsonObject): void {
  const biases = optionalObject(body, "logit_bias");
  for (const token in biases) {
    const bias = biases[token];
    if (typeof bias === "number") continue;
    throw wrongType(`logit_bias.${shownName(token)}`, "a number", bias);
  }
}

function checkSampling(body: JsonObject): void {
  optionalNumber(body, "temperature", 0, 2);
  optionalNumber(body, "top_p", 0, 1);
  optionalNumber(body, "presence_penalty", -2, 2);
  optionalNumber(body, "frequency_penalty", -2, 2);
  const logprobs = optionalBoolean(body, "logprobs") ?? false;
  const most = optionalInteger(body, "top_logprobs", 0, 20) ?? 0;
  if (most > 0 && !logprobs) {
    throw wrongValue("top_logprobs", "it is only allowed where 'logprobs' is true.");
  }
  optionalBoolean(body, "parallel_tool_calls");
  optionalInteger(body, "seed");
  checkStop(body);
  checkBias(body);
}

/** OpenRouter's word for the counts: they are always told in a whole answer. */
function checkUsage(body: JsonObject): void {
  const usage = optionalObject(body, "usage");
  if (usage) optionalBoolean(usage, "include", "usage");
}

function checkSettings(body: JsonObject): void {
  checkFormat(body);
  checkUsage(body);
  checkNames(body);
  checkMetadata(body);
  optionalBoolean(body, "store");
  optionalObject(body, "prediction");
  optionalWord(body, "verbosity", VERBOSITIES);
  checkThinking(body);
  checkTier(body);
  optionalObject(body, "web_search_options");
  // Not of this wire, but it bounds what a search may cost wherever it stands.
  optionalInteger(body, "max_tool_calls", 1, 10_000);
}

function refuseUnpriced(body: JsonObject): void {
  const modalities = optionalArray(body, "modalities");
  if (modalities?.some((modality) => modality !== "text") || body.audio) {
    throw unsupported("modalities", "Only text has a price here; ask for the modality 'text'.");
  }
}

/** Everything of a request but its model and the numbers that are counted by. */
export function checkChatBody(body: JsonObject): void {
  eachObject(requiredList(body, "messages"), "messages", checkMessage);
  refuseUnoffered("chat", body);
  checkStreamOptions(body);
  checkTools(body);
  checkChoice(body, "tool_choice");
  checkChoice(body, "function_call");
  checkSampling(body);
  checkSettings(body);
  refuseUnpriced(body);
}
