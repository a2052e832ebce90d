import { lastUserStep, type Prompt, resultsSinceUser } from "../reading/prompt.ts";
import { splitTokens } from "../tokens.ts";
import { answerText } from "./answer-text.ts";
import { chooseCalls, type PlannedCall } from "./choose-tools.ts";
import { type FactSource, Offer } from "./facts.ts";
import { jsonAnswer } from "./json-answer.ts";
import { type Citation, planSearch, type Search } from "./search.ts";
import { wordedAnswer } from "./worded-format.ts";
import { crop } from "./words.ts";

/** One item of the answer, already in tokens. `complete` is false where a limit cut it off. */
export type Part =
  | { readonly kind: "reasoning"; readonly tokens: readonly string[]; readonly complete: boolean }
  | { readonly kind: "search"; readonly search: Search }
  | {
      readonly kind: "text";
      readonly tokens: readonly string[];
      readonly citation: Citation | null;
      /** The stop sequence that the text ends before. */
      readonly stop: string | null;
      readonly complete: boolean;
    }
  | {
      readonly kind: "call";
      readonly custom: boolean;
      readonly name: string;
      readonly namespace: string | null;
      readonly tokens: readonly string[];
      readonly complete: boolean;
    };

export type TextPart = Extract<Part, { kind: "text" }>;
export type CallPart = Extract<Part, { kind: "call" }>;

export interface SandboxAnswer {
  readonly parts: readonly Part[];
  readonly finish: "stop" | "length" | "tool_calls";
  /** The stop sequence at which the text was cut, if one was met. */
  readonly stoppedBy: string | null;
  readonly outputTokens: number;
  readonly reasoningTokens: number;
}

/** Decides the whole answer. The same request always gets the same one. */
export function planAnswer(prompt: Prompt): SandboxAnswer {
  const text = answerText(prompt);
  const calls =
    prompt.tools.length === 0 ? [] : chooseCalls(prompt, new Offer(factSource(prompt, text)));
  const search = calls.length > 0 ? null : planSearch(prompt);
  const parts: Part[] = [];
  if (prompt.effort !== null) parts.push(reason(prompt, prompt.effort, calls));
  if (search !== null) parts.push({ kind: "search", search });
  if (calls.length > 0) parts.push(...calls.map(planCall));
  else parts.push(planText(prompt, text, search));
  return limitAnswer(parts, tokensMax(prompt));
}

/** All the log probabilities of an answer that goes out whole are made in one step: a longer one is cut. */
const LOGPROBS_MAX = 100_000;

function tokensMax({ outputTokensMax, choiceCount, topLogprobs }: Prompt): number | null {
  if (topLogprobs === null) return outputTokensMax;
  const most = Math.floor(LOGPROBS_MAX / (choiceCount * (1 + topLogprobs)));
  return Math.min(outputTokensMax ?? most, most);
}

/** So many tools are a harness with work of its own: there a call must be asked for to the letter. */
const HARNESS_TOOLS_MIN = 8;

function factSource(prompt: Prompt, answer: string): FactSource {
  return {
    message: lastUserStep(prompt.steps)?.text ?? "",
    results: resultsSinceUser(prompt.steps).map((step) => step.text),
    answer,
    literal: prompt.tools.length >= HARNESS_TOOLS_MIN,
    names: new Set(prompt.tools.map((tool) => tool.name)),
  };
}

function planText(prompt: Prompt, plain: string, search: Search | null): Part {
  const source = { ...factSource(prompt, plain), literal: false };
  const worded = wordedAnswer(prompt, source);
  if (worded !== undefined || prompt.format.kind !== "text") {
    const text = worded ?? JSON.stringify(jsonAnswer(prompt.format, source));
    return { kind: "text", tokens: splitTokens(text), citation: null, stop: null, complete: true };
  }
  const citation = search?.cite(plain) ?? null;
  const whole = citation?.text ?? plain;
  const stop = firstStop(whole, prompt.stops);
  const text = stop === null ? whole : whole.slice(0, whole.indexOf(stop));
  return { kind: "text", tokens: splitTokens(text), citation, stop, complete: true };
}

/** The sequence that is met first, reading from the beginning. */
function firstStop(text: string, stops: readonly string[]): string | null {
  const met = stops.filter((stop) => stop !== "" && text.includes(stop));
  const [first] = met.toSorted((a, b) => text.indexOf(a) - text.indexOf(b));
  return first ?? null;
}

function planCall({ tool, input }: PlannedCall): Part {
  const { name, namespace } = tool;
  const custom = tool.kind === "custom";
  return { kind: "call", custom, name, namespace, tokens: splitTokens(input), complete: true };
}

const THOUGHTS: Readonly<Record<string, number>> = { minimal: 1, low: 1, medium: 2, high: 3 };

function reason(prompt: Prompt, effort: string, calls: readonly PlannedCall[]): Part {
  const message = lastUserStep(prompt.steps)?.text ?? "";
  const names = calls.map((call) => call.tool.name).join(", ");
  const thoughts = [
    `The last message is: “${crop(message, 80)}”`,
    calls.length > 0 ? `Calling ${names} answers it.` : "It can be answered in words.",
    `The conversation has ${prompt.steps.length} turns to draw on.`,
    "A short and exact answer serves best.",
  ];
  const text = thoughts.slice(0, THOUGHTS[effort] ?? thoughts.length).join(" ");
  return { kind: "reasoning", tokens: splitTokens(text), complete: true };
}

/** Cuts the answer at the token limit; what comes after the cut is never begun. */
function limitAnswer(parts: readonly Part[], limit: number | null): SandboxAnswer {
  const kept: Part[] = [];
  let left = limit ?? Number.POSITIVE_INFINITY;
  let cut = false;
  for (const part of parts) {
    if (part.kind === "search") {
      kept.push(part);
      continue;
    }
    if (left === 0) {
      cut = true;
      const last = kept.at(-1);
      if (last !== undefined && last.kind !== "search") {
        kept[kept.length - 1] = { ...last, complete: false };
      }
      break;
    }
    const fits = part.tokens.length <= left;
    kept.push(fits ? part : { ...part, tokens: part.tokens.slice(0, left), complete: false });
    cut = !fits;
    if (cut) break;
    left -= part.tokens.length;
  }
  const calls = kept.some((part) => part.kind === "call");
  const count = (kind: Part["kind"] | null): number =>
    kept.reduce((sum, part) => {
      const counted = part.kind !== "search" && (kind === null || part.kind === kind);
      return counted ? sum + part.tokens.length : sum;
    }, 0);
  return {
    parts: kept,
    finish: cut ? "length" : calls ? "tool_calls" : "stop",
    stoppedBy: cut ? null : (kept.find((part) => part.kind === "text")?.stop ?? null),
    outputTokens: count(null),
    reasoningTokens: count("reasoning"),
  };
}
