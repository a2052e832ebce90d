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

/** A tool of the client's own, described by a schema. */
export function isClientTool(tool: JsonObject): boolean {
  return tool.type === undefined || tool.type === null || tool.type === "custom";
}

/** Of a search. To have none, nobody offers one. */
const USES = { min: 1, max: 10_000 };

export function checkTools(body: JsonObject): void {
  eachObject(optionalArray(body, "tools"), "tools", (tool, path) => {
    const type = optionalString(tool, "type", `${path}.type`);
    if (type?.startsWith("web_search_")) {
      optionalInteger(tool, "max_uses", USES, `${path}.max_uses`);
    }
    if (!isClientTool(tool)) return;
    if (requiredString(tool, "name", `${path}.name`) === "") throw missing(`${path}.name`);
    requiredObject(tool, "input_schema", `${path}.input_schema`);
    optionalString(tool, "description", `${path}.description`);
  });
  checkToolChoice(body);
}

const CHOICES = ["auto", "any", "tool", "none"];

/** What must be called must be there to be called. */
function checkToolChoice(body: JsonObject): void {
  const choice = optionalObject(body, "tool_choice");
  if (!choice) return;
  const type = requiredString(choice, "type", "tool_choice.type");
  checkWord(type, CHOICES, "tool_choice.type");
  const name = type === "tool" ? requiredString(choice, "name", "tool_choice.name") : undefined;
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
  checkWord(requiredString(thinking, "type", "thinking.type"), THINKING, "thinking.type");
  const budget = thinking.budget_tokens;
  if (thinking.type === "enabled" && !Number.isInteger(budget)) {
    throw wrongType("thinking.budget_tokens", "an integer", budget);
  }
}

function checkOutput(body: JsonObject): void {
  const config = optionalObject(body, "output_config") ?? {};
  optionalString(config, "effort", "output_config.effort");
  const path = "output_config.format";
  const format = optionalObject(config, "format", path);
  if (!format) return;
  checkWord(requiredString(format, "type", `${path}.type`), ["json_schema"], `${path}.type`);
  requiredObject(format, "schema", `${path}.schema`);
}

/** What guides an answer. */
export function checkSettings(body: JsonObject): void {
  optionalNumber(body, "temperature", { min: 0, max: 1 });
  optionalNumber(body, "top_p", { min: 0, max: 1 });
  optionalInteger(body, "top_k", { min: 0, max: Number.MAX_SAFE_INTEGER });
  optionalArray(body, "stop_sequences")?.forEach((text, i) => {
    if (typeof text !== "string") throw wrongType(`stop_sequences[${i}]`, "a string", text);
  });
  checkThinking(body);
  checkOutput(body);
  optionalString(optionalObject(body, "metadata") ?? {}, "user_id", "metadata.user_id");
  optionalString(body, "service_tier");
  optionalObject(body, "cache_control");
}
