import type { Decimal, Instant } from "../../lib/contract.ts";

export interface AutoTopUp {
  readonly enabled: boolean;
  /** It is wished, but no card is saved yet. */
  readonly waiting_for_card: boolean;
  readonly threshold: Decimal;
  readonly amount: Decimal;
  readonly daily_max: Decimal;
  readonly failure: string | null;
}

export interface DisplayCurrency {
  readonly code: string;
  readonly rate: Decimal;
}

export interface Wallet {
  readonly balance: Decimal;
  readonly held: Decimal;
  readonly credited: Decimal;
  readonly charged: Decimal;
  readonly test_credit: Decimal;
  readonly refundable: Decimal;
  readonly providers: readonly string[];
  readonly auto_topup: AutoTopUp | null;
  readonly low_balance: { readonly threshold: Decimal } | null;
  readonly display_currency: DisplayCurrency | null;
}

export type OrderStatus = "created" | "paid" | "failed" | "expired" | "refunded";

export interface Order {
  readonly id: string;
  readonly status: OrderStatus;
  readonly provider: "stripe" | "epay" | "test";
  readonly method: string | null;
  readonly automatic: boolean;
  readonly test: boolean;
  readonly amount: Decimal;
  readonly payment_currency: string;
  readonly payment_amount: Decimal;
  readonly refunded: Decimal;
  readonly checkout_url: string | null;
  readonly failure: string | null;
  readonly created_at: Instant;
  readonly paid_at: Instant | null;
}

export type RefundStatus = "pending" | "done" | "failed";

export interface Refund {
  readonly id: string;
  readonly order_id: string;
  readonly amount: Decimal;
  readonly status: RefundStatus;
  readonly failure: string | null;
  readonly created_at: Instant;
}

interface Switchable {
  readonly enabled: boolean;
}

export interface Webhook extends Switchable {
  readonly url: string;
  readonly failures: number;
  readonly last_error: string | null;
  /** Only in the answer to the change that made it. */
  readonly secret?: string;
}

export interface Alerts {
  readonly low_balance: Switchable & { readonly threshold: Decimal | null };
  readonly budgets: Switchable;
  readonly spend_spike: Switchable;
  readonly model_deprecation: Switchable;
  readonly vendor_down: Switchable;
  readonly email: Switchable & { readonly configured: boolean };
  readonly webhook: Webhook | null;
}

/** What is sent to change some of them; what is left out stays. */
export interface AlertChanges {
  readonly low_balance?: { readonly enabled?: boolean; readonly threshold?: Decimal | null };
  readonly budgets?: Switchable;
  readonly spend_spike?: Switchable;
  readonly model_deprecation?: Switchable;
  readonly vendor_down?: Switchable;
  readonly email?: Switchable;
  readonly webhook?: {
    readonly url: string;
    readonly enabled: boolean;
    readonly new_secret?: boolean;
  } | null;
}
