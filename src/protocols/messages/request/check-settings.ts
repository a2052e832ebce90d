import {
  checkWord,
  eachObject,
  isObject,
  type JsonObject,
  missing,
  noTool,
  noTools,
  optionalArray,
  optionalInteger,
  optionalNumber,
  optionalObject,
  optionalString,
  requiredObject,
  requiredString,
  wrongType,
} from "../../fields.ts";
import { checkTier } from "../../unpriced.ts";

/** A tool of the client's own, described by a schema. */
export function isClientTool(tool: JsonObject): boolean {
  return tool.type === undefined || tool.type === null || tool.type === "custom";
}

/** Of a search. To have none, nobody offers one. */
const USES_MIN = 1;
const USES_MAX = 10_000;

function checkTool(tool: JsonObject, path: string): void {
  const type = optionalString(tool, "type", path);
  if (type?.startsWith("web_search_")) {
    optionalInteger(tool, "max_uses", USES_MIN, USES_MAX, path);
  }
  if (!isClientTool(tool)) return;
  if (requiredString(tool, "name", path) === "") throw missing(`${path}.name`);
  requiredObject(tool, "input_schema", path);
  optionalString(tool, "description", path);
}

export function checkTools(body: JsonObject): void {
  eachObject(optionalArray(body, "tools"), "tools", checkTool);
  checkToolChoice(body);
}

const CHOICES = ["auto", "any", "tool", "none"];

/** What must be called must be there to be called. */
function checkToolChoice(body: JsonObject): void {
  const choice = optionalObject(body, "tool_choice");
  if (!choice) return;
  const type = requiredString(choice, "type", "tool_choice");
  checkWord(type, CHOICES, "tool_choice.type");
  const name = type === "tool" ? requiredString(choice, "name", "tool_choice") : undefined;
  const tools = Array.isArray(body.tools) ? body.tools.filter(isObject) : [];
  if ((type === "any" || type === "tool") && tools.length === 0) throw noTools(type, "tools");
  if (name === undefined) return;
  // A set of tools is named by itself, and what is in it is the vendor's to know.
  const mayHave = (tool: JsonObject) => tool.name === name || tool.name === undefined;
  if (!tools.some(mayHave)) throw noTool(name, "tools");
}

const THINKING = ["enabled", "disabled", "adaptive", "between_tools"];

function checkThinking(body: JsonObject): void {
  const thinking = optionalObject(body, "thinking");
  if (!thinking) return;
  checkWord(requiredString(thinking, "type", "thinking"), THINKING, "thinking.type");
  const budget = thinking.budget_tokens;
  if (thinking.type === "enabled" && !Number.isInteger(budget)) {
    throw wrongType("thinking.budget_tokens", "an integer", budget);
  }
}

function checkOutput(body: JsonObject): void {
  const config = optionalObject(body, "output_config");
  if (!config) return;
  optionalString(config, "effort", "output_config");
  const format = optionalObject(config, "format", "output_config");
  if (!format) return;
  const path = "output_config.format";
  checkWord(requiredString(format, "type", path), ["json_schema"], `${path}.type`);
  requiredObject(format, "schema", path);
}

/** What guides an answer. */
export function checkSettings(body: JsonObject): void {
  optionalNumber(body, "temperature", 0, 1);
  optionalNumber(body, "top_p", 0, 1);
  optionalInteger(body, "top_k", 0, Number.MAX_SAFE_INTEGER);
  optionalArray(body, "stop_sequences")?.forEach((text, i) => {
    if (typeof text !== "string") throw wrongType(`stop_sequences[${i}]`, "a string", text);
  });
  checkThinking(body);
  checkOutput(body);
  const metadata = optionalObject(body, "metadata");
  if (metadata) optionalString(metadata, "user_id", "metadata");
  checkTier(body, ["standard_only"]);
  optionalObject(body, "cache_control");
}
