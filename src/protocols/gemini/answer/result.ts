import { toldUsage, usageText } from "../../answer-usage.ts";
import { type Edits, JsonText, type ObjectText } from "../../bytes/splice.ts";
import { isObject } from "../../fields.ts";
import type { AnswerEnd, VendorResult } from "../../wire.ts";
import { errorOf, faultOfAnswer } from "../faults.ts";
import { readGeminiUsage, writeGeminiUsage } from "../usage.ts";
import { blockOf, chunkTokens } from "./chunks.ts";
import { SearchQueries } from "./grounding.ts";

const USAGE = "usageMetadata";

function ownMembers(json: ObjectText, model: string, end: AnswerEnd | undefined): Edits {
  const usage = end ? usageText(json, end, writeGeminiUsage, USAGE) : toldUsage(json, USAGE);
  return {
    ...(json.memberText("modelVersion") ? { modelVersion: model } : {}),
    ...(usage === undefined ? {} : { [USAGE]: usage }),
  };
}

/** A chunk under our name of the model; the last one with what was used. */
export function writeChunk(text: string, model: string, end?: AnswerEnd): string {
  const json = new JsonText(text);
  return json.edit(ownMembers(json, model, end));
}

export function readGeminiResult(body: unknown, json: ObjectText): VendorResult {
  const error = errorOf(body);
  const answer = isObject(body) ? body : {};
  const failure = error && !Array.isArray(answer.candidates) ? faultOfAnswer(error) : undefined;
  if (!failure && !Array.isArray(answer.candidates) && blockOf(answer) === undefined) {
    throw new Error("the vendor's answer has no candidates");
  }
  const webSearches = new SearchQueries().add(answer).length;
  return {
    id: typeof answer.responseId === "string" ? answer.responseId : undefined,
    usage: readGeminiUsage(answer.usageMetadata, webSearches),
    get outputTokens() {
      return chunkTokens(answer);
    },
    webSearches,
    failure,
    body: answer,
    write: (options, end) => json.written(ownMembers(json, JSON.stringify(options.model), end)),
  };
}
