import { newId } from "../lib/ids.ts";
import type { Changes } from "./audit-changes.ts";
import type { Principal } from "./guards.ts";
import type { AuditTable } from "./tables/audit.ts";

/** One change that somebody made, in the console or with a key. */
export interface AuditEntry {
  readonly principal: Principal;
  /** Null for what belongs to the installation. */
  readonly accountId: string | null;
  /** Subject and verb, such as `key.create`. */
  readonly action: string;
  /** The id of what was changed. */
  readonly target: string;
  /** Facts of the change, without secrets. What the target is called stands in `name` or `email`. */
  readonly detail?: Readonly<Record<string, unknown>> | undefined;
  /** What is another now than it was, without secrets. */
  readonly changes?: Changes | undefined;
  /**
   * Of what may be told more than once: this action happens to its target once. `as_said` where others may try it too, or
   * in other words: what each of them says is told once.
   */
  readonly once?: true | "as_said" | undefined;
  /** Of what was kept until the log could be told: the line's id and its moment. However often it is told, it is one line. */
  readonly kept?: { readonly id: string; readonly atMs: number } | undefined;
}

export interface AuditRecord extends Pick<AuditEntry, "accountId" | "action" | "target"> {
  readonly id: string;
  readonly createdAtMs: number;
  readonly userId: string | null;
  readonly actor: string;
  readonly detail: Readonly<Record<string, unknown>>;
  /** Null where nothing was told of it. */
  readonly changes: Changes | null;
}

/** What is named must be so. */
export interface AuditFilter {
  readonly accountId?: string | undefined;
  /** Who did it, as the log calls them. */
  readonly actor?: string | undefined;
  /** `key.create`, or `key` for all about keys. */
  readonly action?: string | undefined;
  readonly target?: string | undefined;
  /** The end is not included. */
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
}

/** For a line of the log, in the order in which things were done. */
export function newAuditId(): string {
  return newId("aud_");
}

/** What a room needs that tells what it changed. */
export type AuditLog = Pick<AuditTable, "write">;
