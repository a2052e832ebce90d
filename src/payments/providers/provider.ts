import type { NanoUsd } from "../../catalogue/money.ts";
import type { Currency, Order, ProviderName } from "../order.ts";

export interface Quote {
  readonly currency: Currency;
  readonly minor: bigint;
}

export interface Checkout {
  readonly reference: string;
  /** Where the payer goes; null when the console itself asks for the confirmation. */
  readonly url: string | null;
}

/** A way to be paid. */
export interface Provider {
  readonly name: ProviderName;
  /** Whether it can be used now. */
  available(): Promise<boolean>;
  /** What an amount costs the payer. Throws at the field for a method it does not have. */
  quote(amount: NanoUsd, method: string | undefined): Promise<Quote>;
  begin(order: Order): Promise<Checkout>;
}
