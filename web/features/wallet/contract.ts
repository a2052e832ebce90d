import type { Decimal } from "../../lib/contract.ts";

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
