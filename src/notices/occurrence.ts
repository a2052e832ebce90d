import type { BudgetFacts, ChannelFacts, ModelEnd } from "./facts.ts";

/** Something that happened and that people want to hear of. */
export type Occurrence =
  | { readonly kind: "low_balance"; readonly balance: bigint; readonly threshold: bigint }
  | { readonly kind: "budget"; readonly percent: BudgetStage; readonly budget: BudgetFacts }
  | { readonly kind: "spend_spike"; readonly spent: bigint; readonly usual: bigint }
  | { readonly kind: "model_deprecation"; readonly end: ModelEnd }
  | { readonly kind: "vendor_down"; readonly channel: ChannelFacts }
  | { readonly kind: "webhook_disabled"; readonly url: string; readonly error: string }
  | { readonly kind: "test" };

export const BUDGET_STAGES = [80, 100] as const;
export type BudgetStage = (typeof BUDGET_STAGES)[number];
