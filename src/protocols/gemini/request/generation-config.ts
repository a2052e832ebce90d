import type { Limits } from "../../../config/config.ts";
import {
  type Bounds,
  checkWord,
  isObject,
  type JsonObject,
  optionalArray,
  optionalBoolean,
  optionalInteger,
  optionalNumber,
  optionalObject,
  optionalString,
  optionalWord,
  unsupported,
  wrongType,
} from "../../fields.ts";

const NAME = "generationConfig";
const PLAIN: Bounds = { min: Number.NEGATIVE_INFINITY, max: Number.POSITIVE_INFINITY };

const LEVELS = ["THINKING_LEVEL_UNSPECIFIED", "MINIMAL", "LOW", "MEDIUM", "HIGH"];

/** What an answer may be; an empty word asks for nothing. */
const MEDIA_TYPES = ["text/plain", "application/json", "text/x.enum", ""];

/** The members under the paths by which a client knows them, for the words of a refusal. */
function withPaths(object: JsonObject, path: string): JsonObject {
  const entries = Object.entries(object).map(([name, value]) => [`${path}.${name}`, value]);
  return Object.fromEntries(entries);
}

function checkSampling(config: JsonObject): void {
  optionalNumber(config, `${NAME}.temperature`, { min: 0, max: 2 });
  optionalNumber(config, `${NAME}.topP`, { min: 0, max: 1 });
  optionalNumber(config, `${NAME}.topK`, { min: 0, max: 1_000_000 });
  optionalNumber(config, `${NAME}.presencePenalty`, { min: -2, max: 2 });
  optionalNumber(config, `${NAME}.frequencyPenalty`, { min: -2, max: 2 });
  optionalInteger(config, `${NAME}.seed`, PLAIN);
  optionalBoolean(config, `${NAME}.responseLogprobs`);
  optionalInteger(config, `${NAME}.logprobs`, { min: 0, max: 20 });
  optionalArray(config, `${NAME}.stopSequences`)?.forEach((text, i) => {
    if (typeof text !== "string") throw wrongType(`${NAME}.stopSequences[${i}]`, "a string", text);
  });
}

function checkThinking(config: JsonObject): void {
  const path = `${NAME}.thinkingConfig`;
  const thinking = withPaths(optionalObject(config, path) ?? {}, path);
  optionalBoolean(thinking, `${path}.includeThoughts`);
  optionalInteger(thinking, `${path}.thinkingBudget`, { min: -1, max: 10_000_000 });
  const level = optionalString(thinking, `${path}.thinkingLevel`);
  if (level !== undefined) checkWord(level.toUpperCase(), LEVELS, `${path}.thinkingLevel`);
}

function checkFormat(config: JsonObject): void {
  optionalWord(config, `${NAME}.responseMimeType`, MEDIA_TYPES);
  optionalObject(config, `${NAME}.responseSchema`);
  optionalObject(config, `${NAME}.responseJsonSchema`);
  const modalities = optionalArray(config, `${NAME}.responseModalities`) ?? [];
  if (modalities.some((modality) => String(modality).toUpperCase() !== "TEXT")) {
    throw unsupported(
      `${NAME}.responseModalities`,
      "Only text has a price here; ask for the modality 'TEXT'.",
    );
  }
}

/** Checks the settings of a request and returns those that decide what it may cost. */
export function readGenerationConfig(body: JsonObject, limits: Limits) {
  const given = optionalObject(body, NAME);
  if (!given) return { maxOutput: undefined, choices: 1 };
  const config = withPaths(given, NAME);
  checkSampling(config);
  checkThinking(config);
  checkFormat(config);
  const bounds = { min: 1, max: limits.output_tokens_max };
  const choices = { min: 1, max: limits.choices_max };
  return {
    maxOutput: optionalInteger(config, `${NAME}.maxOutputTokens`, bounds),
    choices: optionalInteger(config, `${NAME}.candidateCount`, choices) ?? 1,
  };
}

/** The settings of a request that has been checked. */
export function generationConfigOf(body: JsonObject): JsonObject {
  return isObject(body[NAME]) ? body[NAME] : {};
}
