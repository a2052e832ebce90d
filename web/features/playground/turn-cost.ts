import type { Price } from "../../../src/console/contract/models.ts";
import type { AnswerUsage } from "./answer.ts";
import type { Turn } from "./conversation.ts";
import { costOf, guessTokens, ratesAt } from "./estimate.ts";

/** Without a cost where nothing can be said: no price is known, or the request was refused. */
export interface TurnCost extends AnswerUsage {
  /** Where the numbers come from, the surest last. */
  readonly source: "estimated" | "reported" | "receipt";
}

interface Sizes {
  /** What was sent before this prompt, as text. */
  readonly sent: string;
  readonly nowMs: number;
}

/** What a turn costs, as well as it is known now: guessed, then reported, then on the receipt. */
export function turnCost(
  { prompt, answer, receipt, state }: Pick<Turn, "prompt" | "answer" | "receipt" | "state">,
  price: Price | null | undefined,
  { sent, nowMs }: Sizes,
): TurnCost {
  if (receipt) {
    const { id: _, ...counts } = receipt;
    return { ...counts, source: "receipt" };
  }
  const { usage } = answer;
  if (usage?.cost !== undefined) return { ...usage, source: "reported" };
  const refused = state === "failed" && answer.text === "";
  const input = usage?.input ?? (refused ? 0 : guessTokens(sent + prompt));
  const output = usage?.output ?? guessTokens(answer.text + answer.reasoning);
  const cost =
    price && !refused ? costOf(ratesAt(price, input, nowMs), { input, output }) : undefined;
  return { input, cached: usage?.cached ?? 0, output, cost, source: "estimated" };
}
