import type { Conversation } from "../../canon.ts";
import type { JsonObject } from "../../fields.ts";
import { present } from "../../optional.ts";
import type { UpstreamOptions } from "../../wire.ts";
import type { WrittenMessage } from "./write-messages.ts";

/** The vendor's least budget, which must stay below the output maximum. */
const BUDGET_MIN = 1_024;

/** How much of the output maximum a model may think, for each effort. */
const SHARES: Readonly<Record<string, number>> = {
  minimal: 0.025,
  low: 0.15,
  medium: 0.425,
  high: 0.8,
  xhigh: 0.92,
  max: 1,
};

/** Other wires go up to 2. */
const TEMPERATURE_MAX = 1;

const EFFORTS = ["low", "medium", "high", "xhigh", "max"];

/** Budgets below these are a low, a medium effort; what is above is high. */
const LOW_BUDGET = 4_096;
const MEDIUM_BUDGET = 16_384;

interface WrittenThinking {
  readonly thinking?: JsonObject;
  readonly effort?: string;
}

function isOff({ effort, thinkingBudget }: Conversation): boolean {
  return effort === "none" || (effort === undefined && thinkingBudget === 0);
}

function effortOf({ effort, thinkingBudget }: Conversation, dropped: string[]): string | undefined {
  if (effort !== undefined && !EFFORTS.includes(effort)) dropped.push("reasoning_effort");
  if (effort === "minimal") return "low";
  if (effort !== undefined) return EFFORTS.includes(effort) ? effort : undefined;
  if (thinkingBudget === undefined || thinkingBudget <= 0) return undefined;
  if (thinkingBudget < LOW_BUDGET) return "low";
  return thinkingBudget < MEDIUM_BUDGET ? "medium" : "high";
}

function writeAdaptive(
  conversation: Conversation,
  options: UpstreamOptions,
  dropped: string[],
): WrittenThinking {
  const { summary, thinkingBudget } = conversation;
  if (isOff(conversation)) {
    if (!options.rules.includes("always_thinking")) return { thinking: { type: "disabled" } };
    // As little as a model that always thinks can be asked for.
    dropped.push("reasoning_effort");
    return { effort: "low" };
  }
  const effort = effortOf(conversation, dropped);
  const wanted = effort ?? summary ?? thinkingBudget;
  if (wanted === undefined) return {};
  const display = summary === undefined ? {} : { display: "summarized" };
  return { thinking: { type: "adaptive", ...display }, ...(effort ? { effort } : {}) };
}

/** Whether the last answer goes on with the result of a call that no thought led to. */
function continuesWithoutThought(messages: readonly WrittenMessage[]): boolean {
  const last = messages.at(-1);
  if (last?.role !== "user" || last.content[0]?.type !== "tool_result") return false;
  const first = messages.at(-2)?.content[0]?.type;
  return first !== "thinking" && first !== "redacted_thinking";
}

function isForced({ toolChoice, tools }: Conversation): boolean {
  if (tools.length === 0 || !toolChoice) return false;
  const { mode } = toolChoice;
  return mode === "required" || mode === "tool" || (mode === "allowed" && toolChoice.required);
}

function writeBudget(
  conversation: Conversation,
  maxTokens: number,
  messages: readonly WrittenMessage[],
  dropped: string[],
): WrittenThinking {
  const { effort, thinkingBudget } = conversation;
  if (isOff(conversation) || (effort === undefined && thinkingBudget === undefined)) return {};
  // Such a model cannot think before a call that it must make, nor in the middle of a turn.
  if (maxTokens <= BUDGET_MIN || isForced(conversation) || continuesWithoutThought(messages)) {
    dropped.push("reasoning_effort");
    return {};
  }
  const share = SHARES[effort ?? "medium"] ?? SHARES.medium ?? 0;
  const asked =
    thinkingBudget !== undefined && thinkingBudget > 0
      ? thinkingBudget
      : Math.round(BUDGET_MIN + share * (maxTokens - BUDGET_MIN));
  const budget_tokens = Math.min(Math.max(asked, BUDGET_MIN), maxTokens - 1);
  return { thinking: { type: "enabled", budget_tokens } };
}

export function writeThinking(
  conversation: Conversation,
  options: UpstreamOptions,
  maxTokens: number,
  messages: readonly WrittenMessage[],
  dropped: string[],
): WrittenThinking {
  const { rules } = options;
  if (rules.includes("adaptive_thinking") || rules.includes("always_thinking")) {
    return writeAdaptive(conversation, options, dropped);
  }
  return writeBudget(conversation, maxTokens, messages, dropped);
}

/** Temperature and its like, as far as the model takes them beside its thinking. */
export function writeSampling(
  { temperature, topP, topK }: Conversation,
  { rules }: UpstreamOptions,
  thinks: boolean,
  dropped: string[],
): Readonly<Partial<Record<"temperature" | "top_p" | "top_k", number>>> {
  const sampling = present({ temperature, top_p: topP, top_k: topK });
  const leaveOut = (name: keyof typeof sampling) => {
    // One of them at 1 is what the model does anyway.
    if (sampling[name] !== undefined && sampling[name] !== 1) dropped.push(name);
    delete sampling[name];
  };
  if (thinks || rules.includes("no_sampling") || rules.includes("always_thinking")) {
    for (const name of ["temperature", "top_p", "top_k"] as const) leaveOut(name);
  }
  if (sampling.temperature !== undefined && sampling.top_p !== undefined) {
    leaveOut(sampling.temperature === 1 && sampling.top_p !== 1 ? "temperature" : "top_p");
  }
  if (sampling.temperature !== undefined && sampling.temperature > TEMPERATURE_MAX) {
    dropped.push("temperature");
    sampling.temperature = TEMPERATURE_MAX;
  }
  return sampling;
}
