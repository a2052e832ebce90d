import type { Conversation, Format, Tool, ToolChoice } from "../../canon.ts";
import { isObject, type JsonObject, unsupported } from "../../fields.ts";
import { number, objectOf, objectsOf, textOf, texts } from "../../optional.ts";
import type { ClientRequest } from "../../wire.ts";
import { generationConfigOf } from "./generation-config.ts";
import { hasUnpricedGeminiTier } from "./pass-request.ts";
import { readContents } from "./read-contents.ts";
import { jsonSchemaOf } from "./schema.ts";

function systemText(system: unknown): string | undefined {
  const said = objectsOf(objectOf(system).parts).map((part) => textOf(part.text));
  return said.filter((text) => text !== "").join("\n\n") || undefined;
}

function readFunction(declaration: JsonObject): Tool {
  const { name, description, parameters, parametersJsonSchema } = declaration;
  const own = isObject(parameters) ? jsonSchemaOf(parameters) : undefined;
  const schema = isObject(parametersJsonSchema) ? parametersJsonSchema : own;
  return {
    type: "function",
    name: String(name),
    ...(typeof description === "string" ? { description } : {}),
    ...(schema ? { parameters: schema } : {}),
  };
}

/** Each member of a tool is a tool of its own. */
function readTool(member: string, value: unknown, path: string): Tool[] {
  if (member === "functionDeclarations" && Array.isArray(value)) {
    return value.filter(isObject).map(readFunction);
  }
  if (member === "googleSearch") return [{ type: "web_search", settings: {} }];
  return [{ type: "foreign", path: `${path}.${member}` }];
}

function readTools(body: JsonObject): Tool[] {
  return objectsOf(body.tools).flatMap((tool, i) =>
    Object.entries(tool).flatMap(([member, value]) => readTool(member, value, `tools[${i}]`)),
  );
}

function readToolChoice(body: JsonObject): ToolChoice | undefined {
  const calling = objectOf(objectOf(body.toolConfig).functionCallingConfig);
  const names = texts(calling.allowedFunctionNames);
  const [first] = names;
  // The check of a request takes it in any case.
  switch (String(calling.mode).toUpperCase()) {
    case "NONE":
      return { mode: "none" };
    case "ANY":
      if (first === undefined) return { mode: "required" };
      return names.length === 1
        ? { mode: "tool", name: first }
        : { mode: "allowed", names, required: true };
    case "VALIDATED":
      return names.length > 0 ? { mode: "allowed", names, required: false } : { mode: "auto" };
    case "AUTO":
      return { mode: "auto" };
    default:
      return undefined;
  }
}

const FORMAT_NAME = "answer";

function readFormat(config: JsonObject): Format | undefined {
  const { responseMimeType, responseSchema, responseJsonSchema } = config;
  if (responseMimeType === "text/x.enum") {
    throw unsupported(
      "generationConfig.responseMimeType",
      "This model has no answers of the type 'text/x.enum'; ask for 'application/json'.",
    );
  }
  const own = isObject(responseSchema) ? jsonSchemaOf(responseSchema) : undefined;
  const schema = isObject(responseJsonSchema) ? responseJsonSchema : own;
  if (schema) return { type: "json_schema", name: FORMAT_NAME, schema };
  return responseMimeType === "application/json" ? { type: "json_object" } : undefined;
}

/** Members that are read here, or that change nothing for other vendors. */
const READ_MEMBERS = [
  "contents",
  "systemInstruction",
  "tools",
  "toolConfig",
  "generationConfig",
  "model",
  "store",
  "serviceTier",
  "labels",
];
const READ_SETTINGS = [
  "temperature",
  "topP",
  "topK",
  "maxOutputTokens",
  "candidateCount",
  "stopSequences",
  "presencePenalty",
  "frequencyPenalty",
  "seed",
  "responseLogprobs",
  "logprobs",
  "responseMimeType",
  "responseSchema",
  "responseJsonSchema",
  "responseModalities",
  "thinkingConfig",
];

function lostMembers(body: JsonObject, config: JsonObject): string[] {
  const members = Object.keys(body).filter((name) => !READ_MEMBERS.includes(name));
  const settings = Object.keys(config).filter((name) => !READ_SETTINGS.includes(name));
  const tier = hasUnpricedGeminiTier(body) ? ["serviceTier"] : [];
  return [...members, ...tier, ...settings.map((name) => `generationConfig.${name}`)];
}

/** A level of thinking in the words that the wires share. */
function effortOf(level: unknown): string | undefined {
  const known = ["MINIMAL", "LOW", "MEDIUM", "HIGH"];
  const given = String(level).toUpperCase();
  return known.includes(given) ? given.toLowerCase() : undefined;
}

function readSettings(config: JsonObject) {
  const thinking = objectOf(config.thinkingConfig);
  return {
    maxOutput: number(config.maxOutputTokens),
    temperature: number(config.temperature),
    topP: number(config.topP),
    topK: number(config.topK),
    presencePenalty: number(config.presencePenalty),
    frequencyPenalty: number(config.frequencyPenalty),
    seed: number(config.seed),
    stop: texts(config.stopSequences),
    format: readFormat(config),
    effort: effortOf(thinking.thinkingLevel),
    thinkingBudget: number(thinking.thinkingBudget),
    summary: thinking.includeThoughts === true ? "auto" : undefined,
    topLogprobs: config.responseLogprobs === true ? (number(config.logprobs) ?? 0) : undefined,
  };
}

export function readGeminiConversation(request: ClientRequest): Conversation {
  const { body, choices, stream } = request;
  const config = generationConfigOf(body);
  const { items, lost } = readContents(Array.isArray(body.contents) ? body.contents : []);
  return {
    instructions: systemText(body.systemInstruction),
    items,
    tools: readTools(body),
    toolChoice: readToolChoice(body),
    ...readSettings(config),
    choices,
    stream,
    lost: [...lostMembers(body, config), ...lost],
  };
}
