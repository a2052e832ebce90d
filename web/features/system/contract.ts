import type { Instant } from "../../lib/contract.ts";

export type ChannelState = "untried" | "failing" | "ok" | "cooled" | "trial" | "refused";

export interface ChannelLine {
  readonly id: string;
  readonly vendor: string;
  readonly enabled: boolean;
  readonly state: ChannelState;
}

export interface DatabasePart {
  readonly name: string;
  readonly bytes: number;
}

export interface MailFacts {
  /** Host and port. */
  readonly server: string;
  readonly from: string;
}

export interface SystemFacts {
  readonly version: string;
  readonly runtime: string;
  readonly started_at: Instant;
  readonly uptime_seconds: number;
  readonly database: {
    readonly engine: "sqlite" | "postgres";
    readonly bytes: number;
    readonly parts: readonly DatabasePart[];
  };
  readonly storage_queue: number;
  readonly open_holds: number;
  readonly requests_holding: number;
  readonly requests_waiting: number;
  readonly requests_ended: number;
  readonly memory: { readonly resident_bytes: number; readonly heap_bytes: number };
  readonly sandbox_only: boolean;
  readonly revision: number;
  readonly channels: readonly ChannelLine[];
  readonly problems: readonly { readonly subject: string; readonly message: string }[];
  /** Null where nothing can send mail. */
  readonly mail: MailFacts | null;
  readonly metrics_url: string;
}

export const SIGNUP_MODES = ["invite", "open", "closed"] as const;

export const TOKENS = "/api/operator/tokens";
