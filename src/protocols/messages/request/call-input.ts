import type { CallItem } from "../../canon.ts";
import { isObject, type JsonObject } from "../../fields.ts";
import { argumentsValue } from "../../translation/call-arguments.ts";
import { wrapFreeText } from "../../translation/tool-names.ts";

/** What a call was given, as the text of an object; empty where it was given nothing. */
export function inputText(call: CallItem): string {
  if (call.custom) return wrapFreeText(call.arguments);
  const text = call.arguments.trim();
  return text === "" || text.startsWith("{") ? text : JSON.stringify(callInput(call));
}

/** The same as the object that this wire wants. */
export function callInput(call: CallItem): JsonObject {
  if (call.custom) return { input: call.arguments };
  const input = argumentsValue(call);
  if (input !== undefined) return isObject(input) ? input : { value: input };
  // A model wrote it so, or was cut short: it belongs to the conversation and must not stop it.
  return call.arguments.trim() === "" ? {} : { text: call.arguments };
}
