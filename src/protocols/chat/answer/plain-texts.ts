import { isObject, type JsonObject } from "../../fields.ts";
import type { Path } from "../../members/find-paths.ts";
import { objectsOf } from "../../optional.ts";
import { thinkingName } from "../reasoning-state.ts";
import { hasSources } from "./result.ts";

const CHOICE = ["choices", 0] as const;
const SPOKEN = ["content", "refusal"];
const REPEATED: Path = [...CHOICE, "delta", "reasoning"];
/** What most clients call a thought that its vendor calls otherwise. */
export const THOUGHTS_NAMED = { path: REPEATED, by: Buffer.from('"reasoning_content"') };
/** What some vendors write differently on every chunk, and what means nothing to us. */
const FREE: readonly Path[] = [["obfuscation"]];
const ARGUMENTS: Path = [...CHOICE, "delta", "tool_calls", 0, "function", "arguments"];

/** Where the texts of a delta stand that goes on with one text, with thoughts or with one call. */
function textsOfDelta(delta: JsonObject): Path[] {
  const names = [...SPOKEN, thinkingName(delta)];
  const spoken = names.filter((name) => typeof delta[name] === "string");
  const paths: Path[] = spoken.map((name) => [...CHOICE, "delta", name]);
  return Array.isArray(delta.tool_calls) ? [...paths, ARGUMENTS] : paths;
}

/** Where the texts stand that are not counted: thoughts that have been said under another name are among them. */
export function freeTexts({ choices }: JsonObject): readonly Path[] {
  const [choice] = objectsOf(choices);
  const delta = choice?.delta;
  if (!isObject(delta) || thinkingName(delta) === "reasoning") return FREE;
  return [...FREE, REPEATED];
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
