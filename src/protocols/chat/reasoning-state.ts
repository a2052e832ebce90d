import type { ReasoningItem } from "../canon.ts";
import { seal, unseal } from "../envelope.ts";
import { isObject, type JsonObject } from "../fields.ts";
import { objectsOf } from "../optional.ts";

/**
 * Chat has no member for reasoning of its own making. What clients send back unchanged, if anything:
 * `reasoning_content`, the list `reasoning_details`, and beside a call the signature that Gemini
 * wants with it. The vendor's state travels in the latter two.
 */

export const ENCRYPTED = "reasoning.encrypted";

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** By which name a message or a delta thinks. Vendors that use two repeat themselves. */
export function thinkingName(message: JsonObject): "reasoning_content" | "reasoning" {
  return textOf(message.reasoning_content) === undefined ? "reasoning" : "reasoning_content";
}

/** The visible thinking of a message or a delta. */
export function visibleThinking(message: JsonObject): string {
  const named = textOf(message[thinkingName(message)]);
  if (named !== undefined) return named;
  return objectsOf(message.reasoning_details)
    .map((detail) => textOf(detail.text) ?? textOf(detail.summary) ?? "")
    .join("");
}

/** The signature that rides on a call, from a vendor or from a client that sends it back. */
export function signatureOf(call: JsonObject): string | undefined {
  const extra = isObject(call.extra_content) ? call.extra_content : {};
  return isObject(extra.google) ? textOf(extra.google.thought_signature) : undefined;
}

/** The thought that a call's signature stands for. */
export function signedThought(signature: string, callId: string): ReasoningItem {
  return {
    type: "reasoning",
    summary: [],
    sealed: seal("gemini", { signature, call: callId }),
  };
}

/** The member that puts a call's signature, kept in the thought before it, on the call itself. */
export function extraContent(thought: ReasoningItem | undefined): JsonObject {
  const { call, signature } = unseal("gemini", thought?.sealed) ?? {};
  if (typeof signature !== "string" || typeof call !== "string") return {};
  return { extra_content: { google: { thought_signature: signature } } };
}

/** The call that a sealed thought belongs to. */
export function callOfThought(thought: ReasoningItem): string | undefined {
  return textOf(unseal("gemini", thought.sealed)?.call);
}

/** The thoughts of a client's assistant message. */
export function readThoughts(message: JsonObject): ReasoningItem[] {
  const details = objectsOf(message.reasoning_details);
  const sealed = details.flatMap(({ type, data }) => {
    const text = textOf(data);
    return type === ENCRYPTED && text !== undefined ? [text] : [];
  });
  const thoughts = sealed.map((text): ReasoningItem => {
    return { type: "reasoning", summary: [], sealed: text };
  });
  const shown = visibleThinking(message);
  if (shown === "") return thoughts;
  const first = thoughts.findIndex((thought) => callOfThought(thought) === undefined);
  const whole = thoughts[first];
  if (!whole) return [{ type: "reasoning", summary: [], text: shown }, ...thoughts];
  return thoughts.with(first, { ...whole, summary: [shown] });
}

/** One thought's state for a client to send back. */
export function sealedDetail(sealed: string): JsonObject {
  return { type: ENCRYPTED, data: sealed };
}

/** Adds the details of one delta to those so far: pieces of the same place become one. */
export function mergeDetails(details: JsonObject[], delta: JsonObject): void {
  for (const piece of objectsOf(delta.reasoning_details)) {
    const { index, type } = piece;
    const at =
      index === undefined ? -1 : details.findIndex((d) => d.index === index && d.type === type);
    const before = details[at];
    if (before) details[at] = joinedDetail(before, piece);
    else details.push(piece);
  }
}

function joinedDetail(before: JsonObject, piece: JsonObject): JsonObject {
  const joined: Record<string, unknown> = { ...before, ...piece };
  for (const name of ["text", "summary", "data"]) {
    const pieces = [textOf(before[name]), textOf(piece[name])];
    if (pieces.some((text) => text !== undefined)) joined[name] = pieces.join("");
  }
  return joined;
}

/** A chat vendor's details as state, where they hold more than the text that was shown. */
export function sealDetails(details: readonly JsonObject[]): { readonly sealed?: string } {
  const isState = details.some(({ type, signature }) => type === ENCRYPTED || textOf(signature));
  return isState ? { sealed: seal("chat", { details }) } : {};
}

/** The details that a chat vendor once sent. */
export function unsealDetails(thought: ReasoningItem): readonly JsonObject[] {
  return objectsOf(unseal("chat", thought.sealed)?.details);
}
