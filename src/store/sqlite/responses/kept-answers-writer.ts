import type { Database } from "bun:sqlite";
import type { Claim, Claimant, ClaimName, ClaimState } from "../../../conversations/claim.ts";
import type { ClaimSpan, PackedAnswer } from "../../../conversations/store.ts";
import { setFlushing } from "../database.ts";

interface ClaimRow {
  readonly request_id: string;
  readonly fingerprint: string;
  readonly state: ClaimState;
  readonly owner: string;
  readonly expires_at: number;
}

/** Values of `Idempotency-Key` and the answers under them, in the file of stored responses. */
export class KeptAnswersWriter {
  readonly #db: Database;
  readonly #owner: string;

  constructor(db: Database, owner: string) {
    this.#db = db;
    this.#owner = owner;
  }

  claim(claimant: Claimant, { nowMs, expiresAtMs }: ClaimSpan): Claim {
    const { keyId, value, accountId, requestId, fingerprint } = claimant;
    return this.#db
      .transaction(() => {
        const row = this.#row(claimant);
        if (row && row.expires_at > nowMs) return this.#read(row);
        this.#db
          .query(
            `insert or replace into kept_answers (key_id, value, account_id, request_id, fingerprint,
               owner, state, created_at, expires_at, bytes, body)
             values (?, ?, ?, ?, ?, ?, 'running', ?, ?, 0, null)`,
          )
          .run(keyId, value, accountId, requestId, fingerprint, this.#owner, nowMs, expiresAtMs);
        return { requestId, fingerprint, state: "running" as const, alive: true };
      })
      .immediate();
  }

  findClaim(name: ClaimName): Claim | undefined {
    const row = this.#row(name);
    return row ? this.#read(row) : undefined;
  }

  #row({ keyId, value }: ClaimName): ClaimRow | null {
    return this.#db
      .query(
        `select request_id, fingerprint, state, owner, expires_at from kept_answers
         where key_id = ? and value = ?`,
      )
      .get(keyId, value) as ClaimRow | null;
  }

  /** A process that serves has the file to itself, and has recovered the holds of all before it. */
  #read(row: ClaimRow): Claim {
    const { request_id: requestId, fingerprint, state, owner } = row;
    return { requestId, fingerprint, state, alive: owner === this.#owner };
  }

  /** Flushed, as its settlement will be: after a power cut there must not be a charge without it. */
  keepAnswer(claimant: Claimant, answer: PackedAnswer): boolean {
    setFlushing(this.#db, "FULL");
    try {
      return this.#keep(claimant, answer);
    } finally {
      setFlushing(this.#db, "NORMAL");
    }
  }

  #keep({ keyId, value, accountId, requestId }: Claimant, answer: PackedAnswer): boolean {
    const { body, nowMs, expiresAtMs, accountBytesMax } = answer;
    const bytes = body?.byteLength ?? 0;
    return this.#db
      .transaction(() => {
        if (bytes > 0) this.#makeRoom(accountId, accountBytesMax - bytes);
        const { changes } = this.#db
          .query(
            `update kept_answers set state = ?, created_at = ?, expires_at = ?, bytes = ?, body = ?
             where key_id = ? and value = ? and request_id = ?`,
          )
          .run(
            body ? "kept" : "not_kept",
            nowMs,
            expiresAtMs,
            bytes,
            body,
            keyId,
            value,
            requestId,
          );
        return changes > 0;
      })
      .immediate();
  }

  #makeRoom(accountId: string, bytesLeft: number): void {
    const { kept } = this.#db
      .query(
        "select coalesce(sum(bytes), 0) as kept from kept_answers where account_id = ? and bytes > 0",
      )
      .get(accountId) as { kept: number };
    let over = kept - bytesLeft;
    if (over <= 0) return;
    const oldest = this.#db.query(
      `select request_id as id, bytes from kept_answers where account_id = ? and bytes > 0
       order by created_at, request_id limit 1000`,
    );
    const giveUp = this.#db.query(
      `update kept_answers set state = 'not_kept', bytes = 0, body = null
       where account_id = ? and bytes > 0 and request_id = ?`,
    );
    for (const row of oldest.all(accountId) as { id: string; bytes: number }[]) {
      if (over <= 0) return;
      giveUp.run(accountId, row.id);
      over -= row.bytes;
    }
  }

  findAnswer({ keyId, value }: ClaimName, requestId: string): Uint8Array | undefined {
    const row = this.#db
      .query("select body from kept_answers where key_id = ? and value = ? and request_id = ?")
      .get(keyId, value, requestId) as { body: Uint8Array | null } | null;
    return row?.body ?? undefined;
  }

  freeClaim({ keyId, value }: ClaimName, requestId: string, state: ClaimState): void {
    this.#db
      .query(
        "delete from kept_answers where key_id = ? and value = ? and request_id = ? and state = ?",
      )
      .run(keyId, value, requestId, state);
  }

  sweepAnswers(nowMs: number): number {
    return this.#db.query("delete from kept_answers where expires_at <= ?").run(nowMs).changes;
  }
}
