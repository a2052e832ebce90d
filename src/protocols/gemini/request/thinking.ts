import type { Conversation } from "../../canon.ts";
import type { JsonObject } from "../../fields.ts";
import { present } from "../../optional.ts";
import type { UpstreamOptions } from "../../wire.ts";

/** How much a model shall think: newer models take a level, older ones a budget of tokens. */

const LEVELS: Readonly<Record<string, string>> = {
  none: "MINIMAL",
  minimal: "MINIMAL",
  low: "LOW",
  medium: "MEDIUM",
  high: "HIGH",
  xhigh: "HIGH",
  max: "HIGH",
};
const BUDGETS: Readonly<Record<string, number>> = {
  none: 0,
  minimal: 1_024,
  low: 1_024,
  medium: 8_192,
  high: 24_576,
  xhigh: 24_576,
  max: 24_576,
};

/** The large models of every generation cannot be kept from thinking. */
function isPro({ model }: UpstreamOptions): boolean {
  return /\bpro\b/.test(model);
}
const PRO_BUDGET_MIN = 128;
const PRO_BUDGET_MAX = 32_768;
const BUDGET_MAX = 24_576;

function levelOf(conversation: Conversation, options: UpstreamOptions): string | undefined {
  const { effort, thinkingBudget: budget } = conversation;
  let level = effort === undefined ? undefined : LEVELS[effort];
  if (level === undefined && budget !== undefined && budget >= 0) {
    if (budget === 0) level = "MINIMAL";
    else if (budget <= 2_048) level = "LOW";
    else level = budget <= 8_192 ? "MEDIUM" : "HIGH";
  }
  return level === "MINIMAL" && isPro(options) ? "LOW" : level;
}

function budgetOf(conversation: Conversation, options: UpstreamOptions): number | undefined {
  const { effort, thinkingBudget } = conversation;
  const budget = thinkingBudget ?? (effort === undefined ? undefined : BUDGETS[effort]);
  if (budget === undefined || budget < 0) return budget;
  if (isPro(options)) return Math.min(Math.max(budget, PRO_BUDGET_MIN), PRO_BUDGET_MAX);
  return Math.min(budget, BUDGET_MAX);
}

/** Efforts that the model has as they are said; of all others it gets the nearest, or none. */
const EXACT = ["low", "medium", "high"];

/** Whether the model cannot think as much, or as little, as it is asked to. */
export function isNearestEffort({ effort }: Conversation, options: UpstreamOptions): boolean {
  if (effort === undefined || EXACT.includes(effort)) return false;
  if (effort === "minimal")
    return options.rules.includes("thinking_level") ? isPro(options) : false;
  if (effort === "none") return options.rules.includes("thinking_level") || isPro(options);
  return true;
}

/** Clients that count a budget show what it was spent on, unless they say otherwise. */
function wantsThoughts({ summary, thinkingBudget }: Conversation): boolean {
  if (summary !== undefined) return summary !== "none" && summary !== "omitted";
  return thinkingBudget !== undefined && thinkingBudget !== 0;
}

export function writeThinking(
  conversation: Conversation,
  options: UpstreamOptions,
): JsonObject | undefined {
  const byLevel = options.rules.includes("thinking_level");
  const config = present({
    thinkingLevel: byLevel ? levelOf(conversation, options) : undefined,
    thinkingBudget: byLevel ? undefined : budgetOf(conversation, options),
    includeThoughts: wantsThoughts(conversation) || undefined,
  });
  return Object.keys(config).length > 0 ? config : undefined;
}
