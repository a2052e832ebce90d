import { eventValue } from "../../bytes/event-value.ts";
import { eventData } from "../../bytes/sse.ts";
import { isObject, type JsonObject } from "../../fields.ts";
import { objectOf, objectsOf, text } from "../../optional.ts";
import { tokensOf } from "../../text-tokens.ts";

/** What the four readers of this wire's answers have in common: a chunk is a whole answer's shape. */

const decoder = new TextDecoder();

/**
 * The value of an event. The vendor also writes an error between events as it would write the body
 * of a refusal, without the words of an event around it.
 */
export function readEvent(event: Uint8Array): unknown {
  const data = eventData(event);
  if (data !== undefined) return eventValue(data);
  const text = decoder.decode(event).trim();
  return text.startsWith("{") || text.startsWith("[") ? JSON.parse(text) : undefined;
}

/** The same of what a connection ended with, which may be cut anywhere. */
export function readLastEvent(rest: Uint8Array | undefined): unknown {
  try {
    return rest && readEvent(rest);
  } catch {
    // Half an event says nothing; that its end is missing is told by the finish reason.
    return undefined;
  }
}

export function candidatesOf(chunk: JsonObject): JsonObject[] {
  return objectsOf(chunk.candidates);
}

export function partsOf(candidate: JsonObject): JsonObject[] {
  return objectsOf(objectOf(candidate.content).parts);
}

/** Undefined while the candidate is not finished. */
export function finishOf(candidate: JsonObject): string | undefined {
  const { finishReason } = candidate;
  if (typeof finishReason !== "string" || finishReason === "") return undefined;
  return finishReason === "FINISH_REASON_UNSPECIFIED" ? undefined : finishReason;
}

/** Why the prompt was not answered at all. */
export function blockOf(chunk: JsonObject): string | undefined {
  return text(objectOf(chunk.promptFeedback).blockReason);
}

/** What a part carries of the model's own: text, thoughts and calls. */
export function partTexts({ text, functionCall: call }: JsonObject): string[] {
  const texts = typeof text === "string" ? [text] : [];
  if (isObject(call)) texts.push(String(call.name ?? ""), JSON.stringify(call.args ?? {}));
  return texts;
}

/** Generated tokens of an answer or a chunk, as estimated. */
export function chunkTokens(chunk: JsonObject): number {
  return tokensOf(candidatesOf(chunk).flatMap(partsOf).flatMap(partTexts));
}
