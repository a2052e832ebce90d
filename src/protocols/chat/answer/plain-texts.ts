import type { Path } from "../../bytes/event-shape.ts";
import { isObject, type JsonObject } from "../../fields.ts";
import { hasSources } from "./result.ts";

const CHOICE = ["choices", 0] as const;
const SPOKEN = ["content", "refusal", "reasoning_content", "reasoning"];
const ARGUMENTS: Path = [...CHOICE, "delta", "tool_calls", 0, "function", "arguments"];

/** Where the texts of a delta stand that goes on with one text, with thoughts or with one call. */
function textsOfDelta(delta: JsonObject): Path[] {
  const spoken = SPOKEN.filter((name) => typeof delta[name] === "string");
  const paths: Path[] = spoken.map((name) => [...CHOICE, "delta", name]);
  return Array.isArray(delta.tool_calls) ? [...paths, ARGUMENTS] : paths;
}

/**
 * Where the texts stand of a chunk that says nothing else: another like it, with other texts, would
 * have no other effect. None of any other chunk.
 */
export function plainTexts(chunk: JsonObject): Path[] {
  const [choice, ...others] = Array.isArray(chunk.choices) ? chunk.choices : [];
  if (!isObject(choice) || others.length > 0) return [];
  const { delta, finish_reason: reason, usage } = choice;
  if (!isObject(delta) || hasSources(delta) || isObject(usage)) return [];
  return typeof reason === "string" && reason !== "" ? [] : textsOfDelta(delta);
}
