import type { Fault } from "../../../lib/faults.ts";
import { usageText } from "../../answer-usage.ts";
import { JsonText, type ObjectText, Unwritten, type Written } from "../../bytes/splice.ts";
import { upstreamUnavailable } from "../../faults.ts";
import { isObject, type JsonObject } from "../../fields.ts";
import { objectsOf } from "../../optional.ts";
import { textTokens } from "../../text-tokens.ts";
import type { Usage } from "../../usage.ts";
import type { AnswerEnd, AnswerOptions, VendorResult } from "../../wire.ts";
import { thinkingName } from "../reasoning-state.ts";
import { readChatUsage, withSearch, writeChatUsage } from "../usage.ts";
import { faultOfChoice, faultOfFrame } from "./error-frame.ts";
import { readFinish } from "./finish.ts";
import { ownChoices, type ReasoningStyle } from "./reasoning-style.ts";

function tokensIn(text: unknown): number {
  return typeof text === "string" && text !== "" ? textTokens(text) : 0;
}

function callTokens(called: unknown): number {
  if (!isObject(called)) return 0;
  return tokensIn(called.name) + tokensIn(called.arguments) + tokensIn(called.input);
}

/** Tokens of what a message or a delta carries of the model's own, as estimated: text, refusal, reasoning, calls of tools. */
export function messageTokens(message: unknown): number {
  if (!isObject(message)) return 0;
  const { content, refusal, tool_calls, function_call } = message;
  const thinking = message[thinkingName(message)];
  const tokens = tokensIn(content) + tokensIn(refusal) + tokensIn(thinking);
  if (!Array.isArray(tool_calls)) return tokens + callTokens(function_call);
  let all = tokens;
  for (const call of tool_calls)
    if (isObject(call)) all += callTokens(call.function ?? call.custom);
  return all;
}

function resultTokens(body: JsonObject): number {
  return objectsOf(body.choices).reduce((sum, { message }) => sum + messageTokens(message), 0);
}

/** Whether a message or a delta names where its text was found. */
export function hasSources(message: unknown): boolean {
  if (!isObject(message) || !Array.isArray(message.annotations)) return false;
  return message.annotations.length > 0;
}

/** The last chunk of an answer, under our name of the model and without a choice, made of one of its chunks. */
export function writeLastChunk(text: string, model: string, end: AnswerEnd): string {
  const json = new JsonText(text);
  return json.edit({ choices: "[]", usage: usageText(json, end, writeChatUsage), model });
}

function isFailed(choice: JsonObject): boolean {
  return readFinish(String(choice.finish_reason)) === "failed";
}

function isSearched(choice: unknown): boolean {
  return isObject(choice) && hasSources(choice.message);
}

/** An error in place of the answer, or an answer that says itself that it failed. */
function failureOf(body: JsonObject): Fault | undefined {
  const { choices } = body;
  if (!Array.isArray(choices)) return faultOfFrame(body);
  if (choices.length === 0) {
    return faultOfFrame(body) ?? upstreamUnavailable(new Error("the vendor's answer is empty"));
  }
  const failed = choices.find((choice) => isObject(choice) && isFailed(choice));
  return failed && (faultOfFrame(body) ?? faultOfChoice(failed));
}

class ChatResult implements VendorResult {
  readonly #json: ObjectText;
  readonly id: string | undefined;
  readonly usage: Usage | undefined;
  readonly webSearches: number;
  readonly failure: Fault | undefined;
  readonly body: JsonObject;
  readonly #thoughts: ReasoningStyle;

  constructor(body: JsonObject, json: ObjectText, thoughts: ReasoningStyle) {
    const { id, usage, choices } = body;
    this.failure = failureOf(body);
    const isAnswer = Array.isArray(choices);
    if (!this.failure && !isAnswer) throw new Error("the vendor's answer has no choices");
    const searched = isAnswer && choices.some(isSearched);
    this.#json = json;
    this.#thoughts = thoughts;
    this.id = typeof id === "string" ? id : undefined;
    this.usage = withSearch(readChatUsage(usage), searched);
    this.webSearches = searched ? 1 : 0;
    this.body = body;
  }

  get outputTokens(): number {
    return resultTokens(this.body);
  }

  write({ model }: AnswerOptions, end: AnswerEnd): Written {
    const usage = usageText(this.#json, end, writeChatUsage);
    const choices = ownChoices(this.body, "message", this.#thoughts);
    const edits = { model: JSON.stringify(model), usage };
    return this.#json.written(choices ? { ...edits, choices: new Unwritten(choices) } : edits);
  }
}

export function readChatResult(
  body: unknown,
  json: ObjectText,
  thoughts: ReasoningStyle = "reasoning_content",
): VendorResult {
  if (!isObject(body)) throw new Error("the vendor's answer is not an object");
  return new ChatResult(body, json, thoughts);
}
