import type { Kysely } from "kysely";
import { hasCome } from "../../lib/clock.ts";
import { Rows } from "../../lib/sql/tables.ts";
import type { KeptFault } from "../push/kept-fault.ts";
import { LEASE_MS } from "../push/leases.ts";
import type { DraftsTables } from "./schema.ts";

type Tables = Kysely<DraftsTables>;

/** The right to make what an `Idempotency-Key` is for, for a while. */
export interface Ticket {
  readonly accountId: string;
  readonly key: string;
  readonly owner: string;
}

/** What a draft is bound to, and what is told beside it to whoever comes with the key again, as JSON. */
export interface DraftKey extends Pick<Ticket, "key" | "owner"> {
  readonly answer?: string | undefined;
}

/** Who has taken an `Idempotency-Key` of an account. */
export interface KeyRow {
  readonly requestSum: string;
  readonly draftId: string | null;
  readonly owner: string;
  readonly leaseUntilMs: number;
  /** Why nothing came of it. Whoever waited for that owner is told; others take the key anew. */
  readonly failure: KeptFault | null;
  /** What was made under it beside a draft, or in its place, as JSON. */
  readonly answer: string | null;
  /** The owner, or the first of those whom it was taken over from. Null where all begins anew. */
  readonly begunBy: string | null;
}

/** Longer than anybody waits to hear what became of a key. */
const FAILURE_KEEP_MS = 10 * 60_000;

async function find(tables: Tables, accountId: string, key: string): Promise<KeyRow | undefined> {
  const row = await tables
    .selectFrom("draft_keys")
    .select(["request_sum as requestSum", "draft_id as draftId", "owner"])
    .select(["lease_until as leaseUntilMs", "failure", "answer", "begun_by as begunBy"])
    .where(({ and }) => and({ account_id: accountId, idem_key: key }))
    .executeTakeFirst();
  return row && { ...row, failure: row.failure === null ? null : JSON.parse(row.failure) };
}

/** Whether nothing came of a key, whoever has it has died, or what came of it is kept no longer. */
function isOver({ failure, answer, leaseUntilMs }: KeyRow, nowMs: number): boolean {
  if (failure !== null) return true;
  return answer === null ? hasCome(leaseUntilMs, nowMs, LEASE_MS) : leaseUntilMs <= nowMs;
}

/** Whose work the next owner goes on with: a model may have been paid for it. */
function beganWith(found: KeyRow | undefined, requestSum: string): string | null {
  const isOpen = found?.answer === null && found.requestSum === requestSum;
  return isOpen ? found.begunBy : null;
}

export class KeyRows extends Rows<DraftsTables> {
  /**
   * Takes a key, or tells what has taken it. One whose time is over or that came to nothing is taken
   * anew, but not by who has waited for this very owner and finds a failure.
   */
  take(
    { accountId, key, owner }: Ticket,
    requestSum: string,
    untilMs: number,
    nowMs: number,
    waitedFor?: string,
  ): Promise<"taken" | KeyRow> {
    return this.tables.atomically(async (tables) => {
      const found = await find(tables, accountId, key);
      const isFree = !found || (found.draftId === null && isOver(found, nowMs));
      if (found && (!isFree || (found.failure && found.owner === waitedFor))) return found;
      const begun_by = beganWith(found, requestSum) ?? owner;
      const taken = { request_sum: requestSum, owner, lease_until: untilMs, begun_by };
      await tables
        .insertInto("draft_keys")
        .values({ account_id: accountId, idem_key: key, ...taken })
        .onConflict((conflict) =>
          conflict
            .columns(["account_id", "idem_key"])
            .doUpdateSet({ ...taken, failure: null, answer: null }),
        )
        .execute();
      return "taken";
    });
  }

  /** False when the key is somebody else's by now. */
  async renew(ticket: Ticket, untilMs: number): Promise<boolean> {
    const rows = await this.#taken(ticket)
      .set({ lease_until: untilMs })
      .where("failure", "is", null)
      .where("answer", "is", null)
      .returning("owner")
      .execute();
    return rows.length > 0;
  }

  /**
   * What was made under it where that is no draft. Kept until then, if the key is still this owner's. A failure that was
   * written while this was on its way is over: the answer is there, and paid.
   */
  async answer(ticket: Ticket, answer: string, keptUntilMs: number): Promise<void> {
    await this.#taken(ticket)
      .set({ answer, lease_until: keptUntilMs, failure: null })
      .where("draft_id", "is", null)
      .execute();
  }

  /**
   * Nothing came of it, unless the key has its answer: it may have been kept by a call that seemed to fail. Where a model has
   * answered with nothing of use, the next one asks it anew.
   */
  async fail(ticket: Ticket, failure: KeptFault, nowMs: number): Promise<void> {
    const anew = failure.fault === "writing_failed" ? { begun_by: null } : {};
    await this.#taken(ticket)
      .set({ failure: JSON.stringify(failure), lease_until: nowMs, ...anew })
      .where("draft_id", "is", null)
      .where("answer", "is", null)
      .execute();
  }

  /** Forgets what nobody asks after any more, of all accounts: one that has fallen silent takes no other key. */
  async forgetOld(nowMs: number): Promise<void> {
    await this.tables
      .deleteFrom("draft_keys")
      .where("draft_id", "is", null)
      .where((eb) =>
        eb.or([
          eb("failure", "is not", null).and("lease_until", "<=", nowMs - FAILURE_KEEP_MS),
          eb("answer", "is not", null).and("lease_until", "<=", nowMs),
        ]),
      )
      .execute();
  }

  /** Who began what this ticket is for. */
  async begunBy({ accountId, key, owner }: Ticket): Promise<string> {
    return (await find(this.tables, accountId, key))?.begunBy ?? owner;
  }

  #taken({ accountId, key, owner }: Ticket) {
    return this.tables
      .updateTable("draft_keys")
      .where(({ and }) => and({ account_id: accountId, idem_key: key, owner }));
  }
}
