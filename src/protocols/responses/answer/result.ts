import { toldUsage, usageText } from "../../answer-usage.ts";
import { type Edits, edited, JsonText, type ObjectText, Unwritten } from "../../bytes/splice.ts";
import { faultOfEvent } from "../../faults.ts";
import { isObject, type JsonObject } from "../../fields.ts";
import { objectsOf, textOf } from "../../optional.ts";
import { errorIn } from "../../status-in-body.ts";
import { tokensOf } from "../../text-tokens.ts";
import type { AnswerEnd, AnswerOptions, ClientRequest, VendorResult } from "../../wire.ts";
import { countsInFull, ownShape } from "../own-shape.ts";
import { previewAsked } from "../request/search-preview.ts";
import { readResponseUsage, searchesOf, writeResponseUsage } from "../usage.ts";

/** All generated text of the output, in order. */
export function outputText(output: unknown): string {
  return objectsOf(output)
    .flatMap(({ type, content }) => (type === "message" ? objectsOf(content) : []))
    .map(({ type, text }) => (type === "output_text" ? textOf(text) : ""))
    .join("");
}

/** Everything in an item, or in several, that is the model's own: text, calls, reasoning summaries. */
export function generatedTexts(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(generatedTexts);
  if (!isObject(value)) return [];
  const { text, refusal, name, arguments: given, input, content, summary } = value;
  const texts = [text, refusal, name, given, input].filter((each) => typeof each === "string");
  return [...texts, ...generatedTexts(content), ...generatedTexts(summary)];
}

/** Tokens of everything that was generated, as estimated. */
export function generatedTokens(value: unknown): number {
  return tokensOf(generatedTexts(value));
}

/** What makes a vendor's response object ours: our model, what we keep, the text in one piece, the cost. */
function ownMembers(
  json: ObjectText,
  response: JsonObject,
  options: AnswerOptions,
  end: AnswerEnd | undefined,
): Edits {
  const members: Record<string, string | Unwritten> = {
    model: JSON.stringify(options.model),
    ...options.echo,
  };
  members.output_text = new Unwritten(outputText(response.output));
  Object.assign(members, end?.echo);
  const mended = end?.mended === true || !countsInFull(response);
  const usage = end ? usageText(json, { ...end, mended }, writeResponseUsage) : toldUsage(json);
  if (usage !== undefined) members.usage = usage;
  return members;
}

/** A response object in the text of an event, as ours. */
export function writeResponse(
  text: string,
  response: JsonObject,
  options: AnswerOptions,
  end: AnswerEnd | undefined,
  from = 0,
): string {
  const json = new JsonText(text, from);
  return json.edit(ownMembers(json, response, options, end));
}

/** A response object as ours, of which nothing is written. */
export function ownResponse(
  response: JsonObject,
  options: AnswerOptions,
  end: AnswerEnd,
): JsonObject {
  const json = new JsonText(JSON.stringify({ usage: response.usage }));
  return edited(response, ownMembers(json, response, options, end));
}

export function readResponseResult(
  body: unknown,
  json: ObjectText,
  request?: ClientRequest,
  { responseId: id }: Pick<AnswerOptions, "responseId"> = {},
): VendorResult {
  if (!isObject(body)) throw new Error("the vendor's answer is not an object");
  const failed = body.status === "failed" || (errorIn(body) && !Array.isArray(body.output));
  if (!failed && !Array.isArray(body.output)) throw new Error("the vendor's answer has no output");
  const { response, edits } = ownShape(body, { id, search: request && previewAsked(request) });
  return {
    id: String(response.id),
    usage: readResponseUsage(body),
    get outputTokens() {
      return generatedTokens(body.output);
    },
    webSearches: searchesOf(body),
    failure: failed ? faultOfEvent(body) : undefined,
    body: response,
    write(options, end) {
      const own = { ...options, echo: { ...edits, ...options.echo } };
      return json.written(ownMembers(json, response, own, end));
    },
  };
}
