import { usageText } from "../../answer-usage.ts";
import { JsonText } from "../../bytes/splice.ts";
import { isObject } from "../../fields.ts";
import type { AnswerEnd, VendorResult } from "../../wire.ts";
import { errorOf, faultOfAnswer } from "../faults.ts";
import { readGeminiUsage, writeGeminiUsage } from "../usage.ts";
import { blockOf, chunkTokens } from "./chunks.ts";
import { SearchQueries } from "./grounding.ts";

/** An answer or a chunk under our name of the model; the last one with what it used. */
export function writeGemini(text: string, model: string, end?: AnswerEnd): string {
  const json = new JsonText(text);
  return json.edit({
    ...(json.locate("modelVersion") ? { modelVersion: model } : {}),
    ...(end ? { usageMetadata: usageText(json, end, writeGeminiUsage, "usageMetadata") } : {}),
  });
}

export function readGeminiResult(text: string): VendorResult {
  const body: unknown = JSON.parse(text);
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
    write: (options, end) => writeGemini(text, JSON.stringify(options.model), end),
  };
}
