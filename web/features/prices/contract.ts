import type { Decimal, Instant } from "../../lib/contract.ts";

export const TOKEN_RATES = [
  "input",
  "output",
  "cache_read",
  "cache_write",
  "cache_write_long",
] as const;
export const RATES = [...TOKEN_RATES, "web_search_per_thousand"] as const;

export type Rate = (typeof RATES)[number];

/** Dollars per million tokens, and per thousand searches. */
type Rates = { readonly [name in (typeof TOKEN_RATES)[number]]: Decimal } & {
  /** Absent where searches are not offered. */
  readonly web_search_per_thousand?: Decimal;
};

type Tier = Rates & { readonly prompt_tokens: number };

export type Price = Rates & {
  /** Only prices of the console have one. */
  readonly id: string | null;
  readonly pending: boolean;
  readonly version: string;
  readonly effective_from: Instant;
  readonly effective_to: Instant | null;
  readonly source: string;
  readonly checked_at: string | null;
  readonly above: readonly Tier[];
  readonly windows: readonly object[];
};

export interface OperatorModel {
  readonly id: string;
  readonly display_name: string;
  readonly owned_by: string;
  readonly origin: "shipped" | "faregate.yaml" | "console";
  readonly changed_here: boolean;
  readonly endpoints: readonly string[];
  readonly context: number;
  readonly max_output: number;
  readonly free: boolean;
  readonly deprecates_on: string | null;
  readonly replacement: string | null;
  readonly channels: readonly string[];
  readonly price_version: string | null;
  /** The newest first. */
  readonly prices: readonly Price[];
  readonly problem: string | null;
}

export interface PriceChange {
  readonly model: string;
  readonly old_version: string | null;
  readonly new_version: string | null;
  readonly effective_from: Instant;
  readonly changes: readonly {
    readonly rate: Rate;
    readonly old: Decimal | null;
    readonly new: Decimal | null;
    /** How much dearer. */
    readonly percent: Decimal | null;
  }[];
}

export interface PricePreview {
  readonly data: readonly PriceChange[];
}

/** What prices need of the installation's settings. */
export interface MarkupSettings {
  readonly markup_percent: Decimal;
}

export const MODELS_PATH = "/api/operator/models";
export const SETTINGS_PATH = "/api/operator/settings";

export function modelPath(id: string): string {
  return `${MODELS_PATH}/${encodeURIComponent(id)}`;
}
