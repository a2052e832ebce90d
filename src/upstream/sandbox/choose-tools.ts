import { isRecord, listOf } from "./json.ts";
import { listedIn } from "./mentions.ts";
import { lastUserTurn, type Prompt, resultsSinceUser, type Tool } from "./prompt.ts";
import { countShared, stemsOf } from "./words.ts";

/** One call to make. `focus` is what it is about when the message names several things. */
export interface PlannedCall {
  readonly tool: Tool;
  readonly focus: string | null;
}

const CALLS_MAX = 8;
const SHORT_DESCRIPTION_STEMS_MAX = 25;
const MESSAGE_CHARS_MAX = 20_000;
const ASKS_FOR_TOOL = /\b(?:use|using|call|invoke|run)\b.{0,80}\b(?:tools?|functions?)\b/isu;

/** Which tools the answer calls; an empty list means it speaks instead. */
export function chooseCalls(prompt: Prompt): PlannedCall[] {
  const { mode, names } = prompt.toolChoice;
  const allowed = prompt.tools.filter((tool) => names === null || names.includes(tool.name));
  if (mode === "none" || allowed.length === 0) return [];
  if (mode === "auto" && resultsSinceUser(prompt.turns).length > 0) return [];
  const message = (lastUserTurn(prompt.turns)?.text ?? "").slice(0, MESSAGE_CHARS_MAX);
  const relevant = relevantTools(allowed, message);
  const first = allowed[0];
  if (relevant.length === 0 && first !== undefined) {
    if (mode === "required" || ASKS_FOR_TOOL.test(message)) relevant.push(first);
  }
  if (!prompt.parallelToolCalls) relevant.splice(1);
  const calls = relevant.flatMap((tool) => callsOf(tool, message, prompt.parallelToolCalls));
  return calls.slice(0, CALLS_MAX);
}

/** The tools worth calling, best first; each one after the first must answer to new words. */
function relevantTools(tools: readonly Tool[], message: string): Tool[] {
  const wanted = stemsOf(message);
  const scored = tools
    .map((tool) => ({ tool, stems: toolStems(tool), score: relevance(tool, message, wanted) }))
    .filter(({ score }) => score > 0)
    .sort((left, right) => right.score - left.score);
  const chosen: Tool[] = [];
  const covered = new Set<string>();
  for (const { tool, stems } of scored) {
    const fresh = [...wanted].filter((stem) => stems.has(stem) && !covered.has(stem));
    if (fresh.length === 0) continue;
    for (const stem of fresh) covered.add(stem);
    chosen.push(tool);
  }
  return chosen;
}

function toolStems(tool: Tool): Set<string> {
  return stemsOf(`${tool.name} ${tool.description}`);
}

function relevance(tool: Tool, message: string, wanted: ReadonlySet<string>): number {
  if (message.includes(tool.name)) return 1_000;
  const name = countShared(stemsOf(tool.name), wanted);
  const description = stemsOf(tool.description);
  const shared = countShared(description, wanted);
  // A long manual shares some word with almost any message.
  const needed = description.size > SHORT_DESCRIPTION_STEMS_MAX ? 2 : 1;
  return name * 3 + (name > 0 || shared >= needed ? shared : 0);
}

/** A tool that takes one free text is called once for each thing in a list of names. */
function callsOf(tool: Tool, message: string, parallel: boolean): PlannedCall[] {
  const single = [{ tool, focus: null }];
  if (!parallel || tool.kind !== "function" || countFreeTexts(tool.parameters) !== 1) return single;
  const listed = listedIn(message);
  return listed.length > 1 ? listed.map((focus) => ({ tool, focus })) : single;
}

function countFreeTexts(schema: unknown): number {
  if (!isRecord(schema) || !isRecord(schema.properties)) return 0;
  const properties = Object.entries(schema.properties);
  const required = listOf(schema.required);
  return properties.filter(([key, property]) => {
    if (required.length > 0 && !required.includes(key)) return false;
    if (!isRecord(property) || property.type !== "string") return false;
    return !["enum", "const", "format", "pattern"].some((word) => word in property);
  }).length;
}
