import { type Conversation, effortOf } from "./canon.ts";
import type { ModelRule } from "./wire.ts";

type Thinking = Pick<Conversation, "effort" | "thinkingBudget">;

/** An effort, and the rule of models that have not got it. */
type Effort = readonly [name: string, without?: ModelRule];

/** The efforts of OpenAI's wires, from the least. */
const EFFORTS: readonly Effort[] = [
  ["none", "no_effort_none"],
  ["minimal", "no_effort_minimal"],
  ["low"],
  ["medium"],
  ["high"],
  ["xhigh", "no_effort_xhigh"],
  ["max", "no_effort_max"],
];

/**
 * The effort for a model of one of OpenAI's wires: the one that is asked for, or the nearest that the model has and of
 * two as near the greater. A word that is none of these is the vendor's to judge.
 */
export function nearestEffort(asked: Thinking, rules: readonly ModelRule[]) {
  const effort = effortOf(asked);
  const place = EFFORTS.findIndex(([name]) => name === effort);
  const has = ([, without]: Effort) => without === undefined || !rules.includes(without);
  for (let away = 0; place >= 0 && away < EFFORTS.length; away++) {
    const nearest = [EFFORTS[place + away], EFFORTS[place - away]].find(
      (each) => each && has(each),
    );
    if (nearest) return { effort: nearest[0], isOther: away > 0 };
  }
  return { effort, isOther: false };
}
