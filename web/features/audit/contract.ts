import type { Instant } from "../../lib/contract.ts";

export interface Change {
  readonly from: unknown;
  readonly to: unknown;
}

export interface AuditRecord {
  readonly id: string;
  readonly created_at: Instant;
  /** Null where a token or the machine itself did it. */
  readonly user_id: string | null;
  readonly actor: string;
  readonly actor_name: string | null;
  /** Null for what belongs to the installation. */
  readonly account_id: string | null;
  readonly account_name: string | null;
  /** Subject and verb, such as `key.create`. */
  readonly action: string;
  readonly target: string;
  readonly target_name: string | null;
  readonly detail: Readonly<Record<string, unknown>>;
  /** By the name of the member; null where nothing was changed, or nobody noted from what to what. */
  readonly changes: Readonly<Record<string, Change>> | null;
}

export const AUDIT = "/api/operator/audit";
