import { isRecord, listOf, stringOf } from "../json.ts";
import { callsSinceUser, type Prompt, type Tool } from "../reading/prompt.ts";
import { Facts, type Offer } from "./facts.ts";
import { valueForSchema } from "./schema-value.ts";
import { countShared, crop, stemsOf } from "./words.ts";

/** One call to make, with its arguments as text. */
export interface PlannedCall {
  readonly tool: Tool;
  readonly input: string;
}

interface Draft extends PlannedCall {
  readonly invented: boolean;
  readonly harmful: boolean;
}

const CALLS_MAX = 8;
/** Among so many a harmless one is looked for, where one must be called. */
const FORCED_TOOLS_MAX = 64;
const INPUT_CHARS_MAX = 400;
const NAME_CHARS_MAX = 200;
const VERBS = stemsOf(
  "list find search look lookup read write create update set fetch run do show query check edit add",
);
/** So many characters of the message are looked through in the time of one other step. */
const CHARS_PER_STEP = 16;

/** Which tools the answer calls, and with what; an empty list means it speaks instead. */
export function chooseCalls(prompt: Prompt, offer: Offer): PlannedCall[] {
  const { mode, names } = prompt.toolChoice;
  const choice = names === null ? null : new Set(names);
  const allowed = prompt.tools.filter((tool) => choice?.has(tool.name) !== false);
  if (mode === "none" || allowed.length === 0) return [];
  const called = callsSinceUser(prompt.steps);
  const isFresh = (tool: Tool): boolean => !called.has(tool.name);
  const calls = wantedTools(allowed, offer)
    .filter(isFresh)
    .slice(0, prompt.parallelToolCalls ? CALLS_MAX : 1)
    .flatMap((tool) => draftsOf(tool, offer, prompt.parallelToolCalls));
  if (calls.length > 0 || mode === "auto") return calls.slice(0, CALLS_MAX);
  // Tools that take the final answer stand last, and what has been called before has had its say.
  const fresh = allowed.filter(isFresh);
  const last = (fresh.length > 0 ? fresh : allowed).slice(-FORCED_TOOLS_MAX);
  return forcedCall(last, offer);
}

/** The last one that does no harm, or else the last. */
function forcedCall(tools: readonly Tool[], offer: Offer): PlannedCall[] {
  let last: Draft | undefined;
  for (const tool of tools.toReversed()) {
    const draft = draftOf(tool, offer);
    if (!draft.harmful) return [draft];
    last ??= draft;
  }
  return last === undefined ? [] : [last];
}

/** The tools worth calling, best first; each one after the first must answer to new words. */
function wantedTools(tools: readonly Tool[], offer: Offer): Tool[] {
  const scored = tools
    .map((tool) => ({ tool, score: scoreOf(tool, offer) }))
    .filter(({ score }) => score > 0)
    .sort((left, right) => right.score - left.score);
  const covered = new Set<string>();
  return scored.flatMap(({ tool, score }) => {
    const stems = [...stemsOf(tool.name)].filter((stem) => offer.stems.has(stem));
    const isNew = score > 1 || stems.some((stem) => !covered.has(stem));
    for (const stem of stems) covered.add(stem);
    return isNew ? [tool] : [];
  });
}

/** 2 for a tool that is asked for, by its name or by a command to run, up to 1 for one that plainly fits. */
function scoreOf(tool: Tool, offer: Offer): number {
  const { message, effort } = offer;
  if (!effort.spend(tool.name.length + message.length / CHARS_PER_STEP)) return 0;
  const named = isNamed(tool.name, message);
  const score = named ? 2 : fitOf(tool, offer);
  if (score === 0) return 0;
  const { invented, harmful } = draftOf(tool, offer);
  return harmful || (invented && (!named || offer.source.literal)) ? 0 : score;
}

/** A name that is also a word, such as `read`, is only meant where the sentence speaks of a tool. */
function isNamed(name: string, message: string): boolean {
  if (name.length > NAME_CHARS_MAX) return false;
  const literal = name.replace(/[^\w-]/g, "\\$&");
  if (!/^[A-Za-z][a-z]*$/.test(name)) {
    return message.includes(name) && new RegExp(`(?<![\\w-])${literal}(?![\\w-])`).test(message);
  }
  const asked = `\\b(?:call|invoke|use|using)\\s+(?:the\\s+)?["'\`]?${literal}\\b`;
  const pointed = `\\b${literal}["'\`]?\\s+(?:tool|function)\\b`;
  return new RegExp(`${asked}|${pointed}`, "i").test(message);
}

/** How much of a tool's name the message speaks of. In a harness it must be all, and say what with. */
function fitOf(tool: Tool, offer: Offer): number {
  const stems = stemsOf(tool.name);
  if (offer.source.literal) {
    const texts = requiredTexts(tool);
    if (offer.runs && texts.some((key) => /^(?:cmd|command)$/.test(key))) return 2;
    const spoken = stems.size > 0 && countShared(stems, offer.stems) === stems.size;
    return spoken && texts.length > 0 ? 1 : 0;
  }
  const nouns = new Set([...stems].filter((stem) => !VERBS.has(stem)));
  const telling = nouns.size > 0 ? nouns : stems;
  const share = countShared(telling, offer.stems) / Math.max(telling.size, 1);
  return share >= 0.5 ? share : 0;
}

/** The texts that a tool is to be given and that may be anything. */
function requiredTexts({ parameters }: Tool): string[] {
  if (!isRecord(parameters) || !isRecord(parameters.properties)) return [];
  const { properties } = parameters;
  const required = listOf(parameters.required).map(stringOf);
  const keys = required.length > 0 ? required : Object.keys(properties);
  return keys.filter((key) => {
    const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (!isRecord(property) || property.type !== "string") return false;
    return !["enum", "const", "format", "pattern"].some((word) => word in property);
  });
}

/** A tool that takes one free text is called once for each thing in a list of names. */
function draftsOf(tool: Tool, offer: Offer, parallel: boolean): Draft[] {
  const several = parallel && offer.listed.length > 1 && requiredTexts(tool).length === 1;
  if (!several) return [draftOf(tool, offer)];
  return offer.listed.slice(0, CALLS_MAX).map((focus) => draftOf(tool, offer, focus));
}

function draftOf(tool: Tool, offer: Offer, focus: string | null = null): Draft {
  if (tool.kind === "custom") {
    const [quoted] = offer.quoted;
    const input = quoted ?? (crop(offer.message, INPUT_CHARS_MAX) || "input");
    return { tool, input, invented: quoted === undefined, harmful: quoted === undefined };
  }
  const facts = new Facts(offer, focus);
  const value = valueForSchema(tool.parameters, facts, tool.strict);
  const input = JSON.stringify(isRecord(value) ? value : {});
  return { tool, input, invented: facts.invented, harmful: facts.harmful };
}
