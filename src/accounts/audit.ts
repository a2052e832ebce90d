import type { PageQuery } from "../lib/listing.ts";
import type { Visitor } from "./doors.ts";

/** One change that somebody made through the console. */
export interface AuditEntry {
  readonly visitor: Visitor;
  /** Null for what belongs to the installation. */
  readonly accountId: string | null;
  /** Subject and verb, such as `key.create`. */
  readonly action: string;
  /** The id of what was changed. */
  readonly target: string;
  /** Facts of the change, without secrets. */
  readonly detail?: Readonly<Record<string, unknown>> | undefined;
}

export interface AuditRecord {
  readonly id: string;
  readonly createdAtMs: number;
  readonly userId: string | null;
  readonly actor: string;
  readonly accountId: string | null;
  readonly action: string;
  readonly target: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** Who changed what, and when. Nothing in it is ever edited. */
export interface AuditLog {
  write(entry: AuditEntry): Promise<void>;
}

export interface AuditReader {
  /** The newest first; one more than asked for, where there is one. */
  list(page: PageQuery, accountId?: string): Promise<readonly AuditRecord[]>;
}
