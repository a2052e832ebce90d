import type { Decimal, Instant } from "../../lib/contract.ts";

/** Dollars per million tokens. */
export interface Rates {
  readonly input: Decimal;
  readonly cache_read: Decimal;
  readonly cache_write: Decimal;
  readonly cache_write_long: Decimal;
  readonly output: Decimal;
}

export interface Tier extends Rates {
  readonly prompt_tokens: number;
}

export interface PriceWindow extends Rates {
  readonly hours_utc: readonly (readonly [number, number])[];
  /** From 0, a Sunday, to 6. */
  readonly weekdays: readonly number[];
  readonly above: readonly Tier[];
}

export interface Price extends Rates {
  readonly version: string;
  readonly effective_from: Instant;
  readonly effective_to: Instant | null;
  readonly web_search_per_thousand: Decimal | null;
  readonly above: readonly Tier[];
  readonly windows: readonly PriceWindow[];
}

export const CAPABILITIES = [
  "tools",
  "vision",
  "reasoning",
  "json_schema",
  "web_search",
  "stream",
  "files",
] as const;
export type Capability = (typeof CAPABILITIES)[number];

export type Endpoint = "responses" | "chat" | "embeddings";
export type Modality = "text" | "image" | "file" | "audio" | "video";

export interface Model {
  readonly id: string;
  readonly display_name: string;
  readonly owned_by: string;
  readonly context: number;
  readonly max_output: number;
  readonly endpoints: readonly Endpoint[];
  readonly modalities: {
    readonly input: readonly Modality[];
    readonly output: readonly Modality[];
  };
  readonly capabilities: readonly Capability[];
  readonly released_at: Instant | null;
  readonly deprecates_on: string | null;
  readonly replacement: string | null;
  readonly free: boolean;
  readonly price: Price | null;
  readonly upcoming: readonly Price[];
}
