import { isRecord, type JsonRecord, listOf, stringOf } from "../json.ts";
import { findSandboxModel, type SandboxEndpoint, type SandboxModel } from "../models.ts";
import { countTokens } from "../tokens.ts";
import { attachmentTokens, readContent } from "./content.ts";
import {
  type AnswerFormat,
  BadPrompt,
  missing,
  type PromptStep,
  type SaidStep,
  type Tool,
  type ToolChoice,
  wrongType,
} from "./prompt.ts";

const OUTPUT_TOKENS_MAX = 1_000_000;
const TOKENS_PER_TURN = 4;

export function readModel(body: JsonRecord, endpoint: SandboxEndpoint): SandboxModel {
  const id = body.model;
  if (id === undefined || id === null) throw missing("model");
  if (typeof id !== "string") throw wrongType("model", "a string");
  const model = findSandboxModel(id);
  if (model === undefined) {
    throw new BadPrompt(`The model '${id}' does not exist.`, "model", "model_not_found", 404);
  }
  if (!model.endpoints.includes(endpoint)) {
    throw new BadPrompt(`The model '${id}' is only served by ${model.endpoints.join()}.`, "model");
  }
  return model;
}

export function readNumber(
  body: JsonRecord,
  param: string,
  range: { min: number; max: number; integer: boolean },
): number | null {
  const value = body[param];
  if (value === undefined || value === null) return null;
  if (typeof value !== "number" || (range.integer && !Number.isInteger(value))) {
    throw wrongType(param, range.integer ? "an integer" : "a number");
  }
  const kind = range.integer ? "integer" : "decimal";
  if (value < range.min) {
    const text = `Invalid '${param}': ${value} is below the minimum of ${range.min}.`;
    throw new BadPrompt(text, param, `${kind}_below_min_value`);
  }
  if (value > range.max) {
    const text = `Invalid '${param}': ${value} is above the maximum of ${range.max}.`;
    throw new BadPrompt(text, param, `${kind}_above_max_value`);
  }
  return value;
}

export function readFlag(body: JsonRecord, param: string, otherwise: boolean): boolean {
  const value = body[param];
  if (value === undefined || value === null) return otherwise;
  if (typeof value !== "boolean") throw wrongType(param, "a boolean");
  return value;
}

/** Checks the sampling numbers; a deterministic vendor has no other use for them. */
export function checkSampling(body: JsonRecord): void {
  readNumber(body, "temperature", { min: 0, max: 2, integer: false });
  readNumber(body, "top_p", { min: 0, max: 1, integer: false });
  readNumber(body, "presence_penalty", { min: -2, max: 2, integer: false });
  readNumber(body, "frequency_penalty", { min: -2, max: 2, integer: false });
}

export function readTokenLimit(body: JsonRecord, param: string): number | null {
  return readNumber(body, param, { min: 1, max: OUTPUT_TOKENS_MAX, integer: true });
}

export function readFormat(type: unknown, fields: JsonRecord, param: string): AnswerFormat {
  if (type === undefined || type === null || type === "text") return { kind: "text" };
  if (type === "json_object") return { kind: "object" };
  if (type !== "json_schema") throw new BadPrompt(`Invalid value for '${param}.type'.`, param);
  if (fields.schema !== undefined && !isRecord(fields.schema)) {
    throw wrongType(`${param}.schema`, "an object");
  }
  return { kind: "schema", schema: fields.schema ?? {}, strict: fields.strict === true };
}

/** The tool of one list entry. `fields` holds the name: the wires nest it differently. */
export function readTool(kind: "function" | "custom", fields: JsonRecord, param: string): Tool {
  if (typeof fields.name !== "string" || fields.name === "") {
    throw new BadPrompt(`Missing required parameter: '${param}.name'.`, `${param}.name`);
  }
  return {
    kind,
    name: fields.name,
    namespace: null,
    parameters: fields.parameters ?? { type: "object", properties: {} },
    strict: fields.strict === true,
  };
}

const AUTO: ToolChoice = { mode: "auto", names: null, search: false };

/** Reads every spelling of `tool_choice` in use, and holds a named tool to be one of the list. */
export function readToolChoice(choice: unknown, tools: readonly Tool[]): ToolChoice {
  if (choice === undefined || choice === null) return AUTO;
  const type = stringOf(isRecord(choice) ? choice.type : choice);
  if (type === "none" || type === "auto" || type === "required") {
    return { mode: type, names: null, search: false };
  }
  if (!isRecord(choice)) throw new BadPrompt("Invalid value for 'tool_choice'.", "tool_choice");
  if (type.startsWith("web_search")) return { mode: "required", names: [], search: true };
  if (type === "allowed_tools") return readAllowedTools(choice, tools);
  if (type !== "function" && type !== "custom" && type !== "tool") return AUTO;
  return { mode: "required", names: [readChoiceName(choice, namesOf(tools))], search: false };
}

function readAllowedTools(choice: JsonRecord, tools: readonly Tool[]): ToolChoice {
  const fields = isRecord(choice.allowed_tools) ? choice.allowed_tools : choice;
  const entries = listOf(fields.tools).filter(isRecord);
  const search = entries.some((entry) => stringOf(entry.type).startsWith("web_search"));
  const known = namesOf(tools);
  const names = entries
    .filter((entry) => entry.type === "function" || entry.type === "custom")
    .map((entry) => readChoiceName(entry, known));
  return { mode: fields.mode === "required" ? "required" : "auto", names, search };
}

function namesOf(tools: readonly Tool[]): ReadonlySet<string> {
  return new Set(tools.map((tool) => tool.name));
}

function readChoiceName(entry: JsonRecord, known: ReadonlySet<string>): string {
  const nested = entry[stringOf(entry.type)];
  const name = stringOf(entry.name) || (isRecord(nested) ? stringOf(nested.name) : "");
  if (!known.has(name)) {
    throw new BadPrompt(`Tool choice '${name}' not found in 'tools'.`, "tool_choice");
  }
  return name;
}

/** The reasoning effort, or null when there is to be none. */
export function readEffort(value: unknown, param: string): string | null {
  if (value === undefined || value === null || value === "none") return null;
  const known = ["minimal", "low", "medium", "high", "xhigh", "max"];
  if (typeof value !== "string" || !known.includes(value)) {
    throw new BadPrompt(`Invalid value for '${param}'.`, param, "invalid_value");
  }
  return value;
}

const ROLES: ReadonlyMap<unknown, SaidStep["role"]> = new Map([
  ["system", "system"],
  ["developer", "system"],
  ["user", "user"],
  ["assistant", "assistant"],
]);

export function readSaid(fields: JsonRecord, param: string): SaidStep {
  const content = readContent(fields.content, `${param}.content`);
  const role = ROLES.get(fields.role);
  if (role) return { kind: "message", role, ...content };
  throw new BadPrompt(`Invalid value for '${param}.role'.`, `${param}.role`, "invalid_value");
}

export function countInput(steps: readonly PromptStep[], tools: unknown): number {
  let count = 3;
  for (const step of steps) {
    count += TOKENS_PER_TURN + countTokens(step.text);
    if (step.kind === "call") continue;
    for (const attachment of step.attachments) count += attachmentTokens(attachment);
  }
  return listOf(tools).length === 0 ? count : count + countTokens(JSON.stringify(tools));
}
