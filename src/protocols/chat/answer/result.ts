import type { Fault } from "../../../lib/faults.ts";
import { usageText } from "../../answer-usage.ts";
import { JsonText } from "../../bytes/splice.ts";
import { upstreamUnavailable } from "../../faults.ts";
import { isObject, type JsonObject } from "../../fields.ts";
import { objectsOf } from "../../optional.ts";
import { tokensOf } from "../../text-tokens.ts";
import type { AnswerEnd, AnswerOptions, VendorResult } from "../../wire.ts";
import { readChatUsage, withSearch, writeChatUsage } from "../usage.ts";
import { faultOfFrame } from "./error-frame.ts";
import { readFinish } from "./finish.ts";

/** What a message or a delta carries of the model's own: text, refusal, reasoning, calls of tools. */
function messageTexts(message: unknown): string[] {
  if (!isObject(message)) return [];
  const { content, refusal, reasoning_content, reasoning, tool_calls, function_call } = message;
  const calls = Array.isArray(tool_calls) ? tool_calls : [{ function: function_call }];
  const texts = calls.flatMap((call) => {
    const inner = isObject(call) ? (call.function ?? call.custom) : undefined;
    return isObject(inner) ? [inner.name, inner.arguments, inner.input] : [];
  });
  return [content, refusal, reasoning_content, reasoning, ...texts].filter(isText);
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

/** Tokens that a message or a delta carries, as estimated. */
export function messageTokens(message: unknown): number {
  return tokensOf(messageTexts(message));
}

function resultTokens(body: JsonObject): number {
  return objectsOf(body.choices).reduce((sum, { message }) => sum + messageTokens(message), 0);
}

/** Whether a message or a delta names where its text was found. */
export function hasSources(message: unknown): boolean {
  if (!isObject(message) || !Array.isArray(message.annotations)) return false;
  return message.annotations.length > 0;
}

/** What a vendor asks of us is no business of the client's. */
const VENDOR_COSTS = { cost_details: undefined, cost_in_usd_ticks: undefined };

function ownUsage(json: JsonText, end: AnswerEnd): string {
  const text = usageText(json, end, writeChatUsage);
  const span = json.locate("usage");
  if (!span || !json.text.slice(span.start, span.end).includes('"cost')) return text;
  const costs = end.cost === undefined ? { ...VENDOR_COSTS, cost: undefined } : VENDOR_COSTS;
  return new JsonText(text).edit(costs);
}

/** The answer, or the last chunk of one, under our name of the model. */
export function writeChat(text: string, model: string, end: AnswerEnd): string {
  const json = new JsonText(text);
  return json.edit({ model, usage: ownUsage(json, end) });
}

/** An error in place of the answer, or an answer that says itself that it failed. */
function failureOf(body: JsonObject): Fault | undefined {
  if (!Array.isArray(body.choices)) return faultOfFrame(body);
  const failed = body.choices.find(
    (choice) => isObject(choice) && readFinish(String(choice.finish_reason)) === "failed",
  );
  return failed ? upstreamUnavailable(new Error("the vendor's answer broke off")) : undefined;
}

export function readChatResult(text: string): VendorResult {
  const body: unknown = JSON.parse(text);
  if (!isObject(body)) throw new Error("the vendor's answer is not an object");
  const failure = failureOf(body);
  const choices = Array.isArray(body.choices) ? body.choices : undefined;
  if (!failure && !choices) throw new Error("the vendor's answer has no choices");
  const searched = choices?.some((choice) => isObject(choice) && hasSources(choice.message));
  return {
    id: typeof body.id === "string" ? body.id : undefined,
    usage: withSearch(readChatUsage(body.usage), searched === true),
    get outputTokens() {
      return resultTokens(body);
    },
    webSearches: searched ? 1 : 0,
    failure,
    body,
    write: (options: AnswerOptions, end: AnswerEnd) =>
      writeChat(text, JSON.stringify(options.model), end),
  };
}
