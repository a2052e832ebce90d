import type { Instant } from "../../lib/contract.ts";

interface VendorKeyState {
  /** Empty for keys that are too short to show a part of. */
  readonly last_four: string;
  readonly state: "ok" | "cooled" | "refused";
  readonly cooled_until: Instant | null;
  /** Why the vendor refuses it, in its own words. */
  readonly message: string | null;
}

export interface ChannelError {
  readonly at: Instant;
  readonly kind: "credential" | "rate" | "model" | "vendor" | "unreachable";
  readonly status: number | null;
  readonly message: string;
}

/** What a channel serves: all of the vendor, what the vendor lists, or what is named. */
export type ChannelModels =
  | "vendor"
  | "fetch"
  | readonly string[]
  | Readonly<Record<string, string>>;

export interface Channel {
  readonly id: string;
  readonly name: string;
  readonly vendor: string;
  readonly origin: "console" | "faregate.yaml" | "environment" | "sandbox";
  readonly enabled: boolean;
  readonly weight: number;
  readonly priority: number;
  readonly base_url: string | null;
  readonly protocols: readonly string[] | null;
  readonly models: ChannelModels;
  readonly created_at: Instant | null;
  readonly changed_at: Instant | null;
  readonly serves: readonly string[];
  readonly unpriced: readonly string[];
  /** `untried`: nothing has answered there since the server started, and nothing failed either. */
  readonly state: "untried" | "failing" | "ok" | "cooled" | "trial" | "refused" | "broken";
  readonly cooled_until: Instant | null;
  readonly window: { readonly attempts: number; readonly faults: number };
  readonly last_error: ChannelError | null;
  /** How often its vendor's counts were not what was charged. */
  readonly counts: {
    readonly since: Instant;
    readonly estimated: number;
    readonly clamped: number;
  };
  readonly keys: readonly VendorKeyState[];
  readonly problem: string | null;
}

export interface ChannelTest {
  readonly ok: boolean;
  readonly method: "generate" | "list";
  readonly model: string | null;
  readonly latency_ms: number;
  readonly keys: readonly {
    readonly last_four: string;
    readonly ok: boolean;
    readonly status: number | null;
    readonly latency_ms: number;
    readonly error: string | null;
  }[];
}

/** A name in the vendor's list, and the model of the catalogue that it is; null where nothing prices it. */
export interface ListedName {
  readonly name: string;
  readonly model: string | null;
}

/** A test of what would be saved. */
export interface ChannelTrial extends ChannelTest {
  /** Null where the vendor has no list, or did not give it. */
  readonly models: readonly ListedName[] | null;
}

export const CHANNELS_PATH = "/api/operator/channels";
