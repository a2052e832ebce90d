import type { CallItem } from "../../canon.ts";
import { isObject, type JsonObject } from "../../fields.ts";
import { wrapFreeText } from "../../tool-names.ts";

/** What a call was given, as JSON text; empty where it was given nothing. */
export function inputText(call: CallItem): string {
  return call.custom ? wrapFreeText(call.arguments) : call.arguments.trim();
}

/** The same as the object that this wire wants. */
export function callInput(call: CallItem): JsonObject {
  try {
    const input: unknown = JSON.parse(inputText(call) || "{}");
    return isObject(input) ? input : { value: input };
  } catch {
    // A model wrote it so, or was cut short: it belongs to the conversation and must not stop it.
    return { text: call.arguments };
  }
}
