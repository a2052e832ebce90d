import type { KeptFault } from "../../drafts/push/kept-fault.ts";
import type { KeyRow, KeysStore, Ticket } from "../../drafts/store.ts";
import type { Sql } from "../../lib/sql/sql.ts";

/** Longer than anybody waits to hear what became of a key. */
const FAILURE_KEEP_MS = 10 * 60_000;

interface Row {
  readonly request_sum: string;
  readonly draft_id: string | null;
  readonly owner: string;
  readonly lease_until: number;
  readonly failure: string | null;
  readonly answer: string | null;
}

function toKey(row: Row): KeyRow {
  return {
    requestSum: row.request_sum,
    draftId: row.draft_id,
    owner: row.owner,
    leaseUntilMs: row.lease_until,
    failure: row.failure === null ? null : (JSON.parse(row.failure) as KeptFault),
    answer: row.answer,
  };
}

export class KeyRows implements KeysStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  take(
    { accountId, key, owner }: Ticket,
    requestSum: string,
    untilMs: number,
    nowMs: number,
    waitedFor?: string,
  ): Promise<"taken" | KeyRow> {
    return this.#sql.transaction(async (sql) => {
      const [row] = await sql.query<Row>(
        "select * from draft_keys where account_id = $1 and idem_key = $2",
        [accountId, key],
      );
      const found = row && toKey(row);
      const isOver = found && (found.failure !== null || found.leaseUntilMs <= nowMs);
      const isFree = !found || (found.draftId === null && isOver);
      if (found && (!isFree || (found.failure && found.owner === waitedFor))) return found;
      await sql.query(
        `delete from draft_keys
         where account_id = $1 and draft_id is null
           and ((failure is not null and lease_until <= $2) or (answer is not null and lease_until <= $3))`,
        [accountId, nowMs - FAILURE_KEEP_MS, nowMs],
      );
      await sql.query(
        `insert into draft_keys (account_id, idem_key, request_sum, owner, lease_until)
         values ($1, $2, $3, $4, $5)
         on conflict (account_id, idem_key) do update set request_sum = excluded.request_sum,
           owner = excluded.owner, lease_until = excluded.lease_until, failure = null,
           answer = null`,
        [accountId, key, requestSum, owner, untilMs],
      );
      return "taken";
    });
  }

  async renew({ accountId, key, owner }: Ticket, untilMs: number): Promise<boolean> {
    const rows = await this.#sql.query(
      `update draft_keys set lease_until = $1
       where account_id = $2 and idem_key = $3 and owner = $4 and failure is null
         and answer is null
       returning owner`,
      [untilMs, accountId, key, owner],
    );
    return rows.length > 0;
  }

  async answer(
    { accountId, key, owner }: Ticket,
    answer: string,
    keptUntilMs: number,
  ): Promise<void> {
    await this.#sql.query(
      `update draft_keys set answer = $1, lease_until = $2
       where account_id = $3 and idem_key = $4 and owner = $5 and draft_id is null`,
      [answer, keptUntilMs, accountId, key, owner],
    );
  }

  async fail({ accountId, key, owner }: Ticket, failure: KeptFault, nowMs: number): Promise<void> {
    await this.#sql.query(
      `update draft_keys set failure = $1, lease_until = $2
       where account_id = $3 and idem_key = $4 and owner = $5 and draft_id is null`,
      [JSON.stringify(failure), nowMs, accountId, key, owner],
    );
  }
}
