import type { Instant } from "../../lib/contract.ts";

export interface AuditRecord {
  readonly id: string;
  readonly created_at: Instant;
  /** Null where a token or the machine itself did it. */
  readonly user_id: string | null;
  readonly actor: string;
  /** Null for what belongs to the installation. */
  readonly account_id: string | null;
  /** Subject and verb, such as `key.create`. */
  readonly action: string;
  readonly target: string;
  readonly detail: Readonly<Record<string, unknown>>;
}
