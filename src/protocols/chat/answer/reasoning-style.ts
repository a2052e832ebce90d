import type { Answer, OutputItem } from "../../canon.ts";
import { isObject, type JsonObject } from "../../fields.ts";
import { objectsOf } from "../../optional.ts";
import { ENCRYPTED, thinkingName, visibleThinking } from "../reasoning-state.ts";

/**
 * How a client reads what a model thinks. Most read `reasoning_content`; OpenRouter's read `reasoning`, and the same as
 * `reasoning_details`. `hidden` is for one that asked not to be shown it.
 */
export type ReasoningStyle = "reasoning_content" | "reasoning" | "hidden";

/** Not a format that clients throw away where it has no signature. */
const TEXT_DETAIL = { type: "reasoning.text", format: "unknown", index: 0 };

/** Encrypted reasoning, which clients send back without reading it. */
function states(message: JsonObject): readonly JsonObject[] {
  return objectsOf(message.reasoning_details).filter(({ type }) => type === ENCRYPTED);
}

function withoutThoughts(message: JsonObject): JsonObject {
  const { reasoning_content: _content, reasoning: _text, reasoning_details: _, ...rest } = message;
  const kept = states(message);
  return kept.length > 0 ? { ...rest, reasoning_details: kept } : rest;
}

/** Under the name that most clients know, an empty thought too. */
function named(message: JsonObject): JsonObject {
  // Most messages have none: only the others pay for the copy.
  if (typeof message.reasoning !== "string" || thinkingName(message) !== "reasoning")
    return message;
  const { reasoning, ...rest } = message;
  return { ...rest, reasoning_content: reasoning };
}

/** A message, or a delta, with its reasoning in the client's style; the same object if it has that style already. */
export function inReasoningStyle(message: JsonObject, style: ReasoningStyle): JsonObject {
  if (style === "reasoning_content") return named(message);
  const shown = visibleThinking(message);
  if (shown === "") return message;
  if (style === "hidden") return withoutThoughts(message);
  const details = objectsOf(message.reasoning_details);
  const isTold = details.length > states(message).length;
  if (message.reasoning === shown && isTold && message.reasoning_content === undefined)
    return message;
  const { reasoning_content: _, ...rest } = message;
  const told = isTold ? details : [{ ...TEXT_DETAIL, text: shown }, ...details];
  return { ...rest, reasoning: shown, reasoning_details: told };
}

/** An answer of any vendor whose thoughts nobody is to see. What their vendor wants back of them stays. */
export function withoutThinking(answer: Answer): Answer {
  const items = answer.items.map((item): OutputItem => {
    if (item.type !== "reasoning") return item;
    const { text: _, ...rest } = item;
    return { ...rest, summary: [] };
  });
  return { ...answer, items };
}

/** All choices of an answer or a chunk so; undefined where nothing is to be changed. */
export function ownChoices(
  { choices }: JsonObject,
  member: "message" | "delta",
  style: ReasoningStyle,
): readonly unknown[] | undefined {
  if (!Array.isArray(choices)) return undefined;
  let isChanged = false;
  const own = choices.map((choice: unknown) => {
    const given = isObject(choice) ? choice[member] : undefined;
    if (!isObject(choice) || !isObject(given)) return choice;
    const mine = inReasoningStyle(given, style);
    if (mine === given) return choice;
    isChanged = true;
    return { ...choice, [member]: mine };
  });
  return isChanged ? own : undefined;
}
