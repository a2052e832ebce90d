import type { Calls } from "../telemetry/calls.ts";
import type { BudgetFacts, ChannelFacts, InputLossFacts, ModelEnd } from "./facts.ts";

/** Something that happened and that people want to hear of. */
export type Occurrence =
  | { readonly kind: "low_balance"; readonly balance: bigint; readonly threshold: bigint }
  | { readonly kind: "budget"; readonly percent: BudgetStage; readonly budget: BudgetFacts }
  | { readonly kind: "spend_spike"; readonly spent: bigint; readonly usual: bigint }
  | { readonly kind: "model_deprecation"; readonly end: ModelEnd }
  | {
      readonly kind: "vendor_down";
      readonly channel: ChannelFacts;
      /** Calls since the last look, where most of them failed. */
      readonly burst?: Calls | undefined;
    }
  | { readonly kind: "input_loss"; readonly loss: InputLossFacts }
  | {
      readonly kind: "auto_topup_failed";
      readonly amount: bigint;
      readonly reason: string;
      /** It was the last of so many that it has been switched off. */
      readonly off: boolean;
    }
  /** `taken` is what of the amount was left in the balance. */
  | { readonly kind: "payment_disputed"; readonly amount: bigint; readonly taken: bigint }
  | {
      readonly kind: "webhook_disabled";
      readonly url: string;
      readonly error: string;
      /** Whether the account's other alerts go by mail. */
      readonly mailed: boolean;
    }
  | { readonly kind: "test" };

export const BUDGET_STAGES = [80, 100] as const;
export type BudgetStage = (typeof BUDGET_STAGES)[number];
