import type { Conversation } from "../../canon.ts";
import {
  isObject,
  type JsonObject,
  optionalBoolean,
  optionalNumber,
  optionalObject,
  optionalString,
} from "../../fields.ts";
import { nearestEffort } from "../../nearest-effort.ts";
import { number, objectOf, text } from "../../optional.ts";
import type { MemberEdits } from "../../unpriced.ts";
import type { UpstreamOptions } from "../../wire.ts";

/** How else than by `reasoning_effort` clients of this wire say how much to think: OpenRouter's and others' words. */
const WORDS = ["reasoning", "thinking", "include_reasoning"];

/** Thinking that is switched on without a size: the model's own. */
const OWN_BUDGET = -1;

export function checkThinking(body: JsonObject): void {
  optionalString(body, "reasoning_effort");
  optionalBoolean(body, "include_reasoning");
  const reasoning = optionalObject(body, "reasoning");
  if (reasoning) {
    optionalString(reasoning, "effort", "reasoning");
    optionalString(reasoning, "summary", "reasoning");
    optionalNumber(reasoning, "max_tokens", -1, Number.POSITIVE_INFINITY, "reasoning");
    optionalBoolean(reasoning, "enabled", "reasoning");
    optionalBoolean(reasoning, "exclude", "reasoning");
  }
  const thinking = optionalObject(body, "thinking");
  if (!thinking) return;
  optionalString(thinking, "type", "thinking");
  optionalNumber(thinking, "budget_tokens", -1, Number.POSITIVE_INFINITY, "thinking");
}

/** Whether the client does not want to be shown what was thought. */
export function hidesThoughts({ include_reasoning: include, reasoning }: JsonObject): boolean {
  return include === false || (isObject(reasoning) && reasoning.exclude === true);
}

type Thinking = Pick<Conversation, "effort" | "thinkingBudget" | "summary">;

/** How much to think and whether to show it, whichever words say so. */
export function readThinking(body: JsonObject): Thinking {
  const reasoning = objectOf(body.reasoning);
  const { type, budget_tokens } = objectOf(body.thinking);
  const isOn = reasoning.enabled === true || (type !== undefined && type !== "disabled");
  const isOff = reasoning.enabled === false || type === "disabled";
  const effort = text(body.reasoning_effort) ?? text(reasoning.effort);
  const budget = number(reasoning.max_tokens) ?? (isOn ? number(budget_tokens) : undefined);
  const asks = body.include_reasoning === true || isObject(body.reasoning);
  const summary = text(reasoning.summary) ?? (asks && !hidesThoughts(body) ? "auto" : undefined);
  if (isOff) return { effort: effort ?? "none", thinkingBudget: undefined, summary: undefined };
  const own = isOn && effort === undefined ? OWN_BUDGET : undefined;
  return {
    effort,
    thinkingBudget: budget === undefined ? own : Math.trunc(budget),
    summary: effort === "none" ? undefined : summary,
  };
}

/** Says it to a vendor of this wire in the words that it knows: those of the client's, or `reasoning_effort`. */
export function editThinking(
  body: JsonObject,
  { dialect, allows, rules }: UpstreamOptions,
  edits: MemberEdits,
  dropped: string[],
): void {
  const { reasoning, thinking, include_reasoning } = body;
  const isPlain =
    reasoning === undefined && thinking === undefined && include_reasoning === undefined;
  if (isPlain || allows.everything) return;
  const takes = (name: string) => dialect.takes?.includes(name) || allows.members.has(name);
  const unknown = WORDS.filter((name) => body[name] !== undefined && !takes(name));
  if (unknown.length === 0) return;
  for (const name of unknown) edits[name] = undefined;
  if (body.reasoning_effort !== undefined && body.reasoning_effort !== null) return;
  const { effort, isOther } = nearestEffort(readThinking(body), rules);
  if (effort === undefined) return;
  const isRefused =
    rules.includes("never_thinks") || dialect.refuses?.includes("reasoning_effort") === true;
  if (!isRefused) edits.reasoning_effort = JSON.stringify(effort);
  if (isOther || (isRefused && effort !== "none")) dropped.push("reasoning_effort");
}
