import type { Fault } from "../../../lib/faults.ts";
import { usageText } from "../../answer-usage.ts";
import { type Edits, JsonText, type ObjectText, type Written } from "../../bytes/splice.ts";
import { upstreamUnavailable } from "../../faults.ts";
import { isObject, type JsonObject } from "../../fields.ts";
import { objectsOf } from "../../optional.ts";
import { tokensOf } from "../../text-tokens.ts";
import type { Usage } from "../../usage.ts";
import type { AnswerEnd, AnswerOptions, VendorResult } from "../../wire.ts";
import { thinkingName } from "../reasoning-state.ts";
import { readChatUsage, withSearch, writeChatUsage } from "../usage.ts";
import { faultOfFrame } from "./error-frame.ts";
import { readFinish } from "./finish.ts";

/** What a message or a delta carries of the model's own: text, refusal, reasoning, calls of tools. */
function messageTexts(message: unknown): string[] {
  if (!isObject(message)) return [];
  const { content, refusal, tool_calls, function_call } = message;
  const thinking = message[thinkingName(message)];
  const calls = Array.isArray(tool_calls) ? tool_calls : [{ function: function_call }];
  const texts = calls.flatMap((call) => {
    const inner = isObject(call) ? (call.function ?? call.custom) : undefined;
    return isObject(inner) ? [inner.name, inner.arguments, inner.input] : [];
  });
  return [content, refusal, thinking, ...texts].filter(isText);
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

function ownMembers(json: ObjectText, model: string, end: AnswerEnd): Edits {
  return { model, usage: usageText(json, end, writeChatUsage) };
}

/** The last chunk of an answer under our name of the model. */
export function writeLastChunk(text: string, model: string, end: AnswerEnd): string {
  const json = new JsonText(text);
  return json.edit(ownMembers(json, model, end));
}

function isFailed(choice: unknown): boolean {
  return isObject(choice) && readFinish(String(choice.finish_reason)) === "failed";
}

function isSearched(choice: unknown): boolean {
  return isObject(choice) && hasSources(choice.message);
}

/** An error in place of the answer, or an answer that says itself that it failed. */
function failureOf(body: JsonObject): Fault | undefined {
  if (!Array.isArray(body.choices)) return faultOfFrame(body);
  if (!body.choices.some(isFailed)) return undefined;
  return upstreamUnavailable(new Error("the vendor's answer broke off"));
}

class ChatResult implements VendorResult {
  readonly #json: ObjectText;
  readonly id: string | undefined;
  readonly usage: Usage | undefined;
  readonly webSearches: number;
  readonly failure: Fault | undefined;
  readonly body: JsonObject;

  constructor(body: JsonObject, json: ObjectText) {
    const { id, usage, choices } = body;
    this.failure = failureOf(body);
    const isAnswer = Array.isArray(choices);
    if (!this.failure && !isAnswer) throw new Error("the vendor's answer has no choices");
    const searched = isAnswer && choices.some(isSearched);
    this.#json = json;
    this.id = typeof id === "string" ? id : undefined;
    this.usage = withSearch(readChatUsage(usage), searched);
    this.webSearches = searched ? 1 : 0;
    this.body = body;
  }

  get outputTokens(): number {
    return resultTokens(this.body);
  }

  write({ model }: AnswerOptions, end: AnswerEnd): Written {
    return this.#json.written(ownMembers(this.#json, JSON.stringify(model), end));
  }
}

export function readChatResult(body: unknown, json: ObjectText): VendorResult {
  if (!isObject(body)) throw new Error("the vendor's answer is not an object");
  return new ChatResult(body, json);
}
