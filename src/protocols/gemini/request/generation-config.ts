import type { Limits } from "../../../config/config.ts";
import {
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

const LEVELS = ["THINKING_LEVEL_UNSPECIFIED", "MINIMAL", "LOW", "MEDIUM", "HIGH"];

/** What an answer may be; an empty word asks for nothing. */
const MEDIA_TYPES = ["text/plain", "application/json", "text/x.enum", ""];

function checkSampling(config: JsonObject): void {
  optionalNumber(config, "temperature", 0, 2, NAME);
  optionalNumber(config, "topP", 0, 1, NAME);
  optionalNumber(config, "topK", 0, 1_000_000, NAME);
  optionalNumber(config, "presencePenalty", -2, 2, NAME);
  optionalNumber(config, "frequencyPenalty", -2, 2, NAME);
  optionalInteger(config, "seed", undefined, undefined, NAME);
  optionalBoolean(config, "responseLogprobs", NAME);
  optionalInteger(config, "logprobs", 0, 20, NAME);
  optionalArray(config, "stopSequences", NAME)?.forEach((text, i) => {
    if (typeof text !== "string") throw wrongType(`${NAME}.stopSequences[${i}]`, "a string", text);
  });
}

function checkThinking(config: JsonObject): void {
  const thinking = optionalObject(config, "thinkingConfig", NAME);
  if (!thinking) return;
  const path = `${NAME}.thinkingConfig`;
  optionalBoolean(thinking, "includeThoughts", path);
  optionalInteger(thinking, "thinkingBudget", -1, 10_000_000, path);
  const level = optionalString(thinking, "thinkingLevel", path);
  if (level !== undefined) checkWord(level.toUpperCase(), LEVELS, `${path}.thinkingLevel`);
}

function checkFormat(config: JsonObject): void {
  optionalWord(config, "responseMimeType", MEDIA_TYPES, NAME);
  optionalObject(config, "responseSchema", NAME);
  optionalObject(config, "responseJsonSchema", NAME);
  const modalities = optionalArray(config, "responseModalities", NAME);
  if (modalities?.some((modality) => String(modality).toUpperCase() !== "TEXT")) {
    throw unsupported(
      `${NAME}.responseModalities`,
      "Only text has a price here; ask for the modality 'TEXT'.",
    );
  }
}

/** Checks the settings of a request and returns those that decide what it may cost. */
export function readGenerationConfig(body: JsonObject, limits: Limits) {
  const config = optionalObject(body, NAME);
  if (!config) return { maxOutput: undefined, choices: 1 };
  checkSampling(config);
  checkThinking(config);
  checkFormat(config);
  return {
    maxOutput: optionalInteger(config, "maxOutputTokens", 1, limits.output_tokens_max, NAME),
    choices: optionalInteger(config, "candidateCount", 1, limits.choices_max, NAME) ?? 1,
  };
}

/** The settings of a request that has been checked. */
export function generationConfigOf(body: JsonObject): JsonObject {
  return isObject(body[NAME]) ? body[NAME] : {};
}
