import type { Account, AccountSummary, FormerSecret, KeySummary } from "../../accounts/account.ts";
import type { KeySpending } from "../../accounts/keys/budget.ts";
import type { Balance, UsageQuery, UsageRow } from "../../ledger/books.ts";
import type { Receipt } from "../../ledger/receipt.ts";
import {
  ACCOUNT_COLUMNS,
  type AccountRow,
  type FormerSecretRow,
  type Integer,
  KEY_COLUMNS,
  type KeyRow,
  readAccount,
  readKey,
} from "../keys/key-rows.ts";
import {
  type AskUsed,
  readSpending,
  SPENDING_COLUMNS,
  type SpendingRow,
  usedBehind,
} from "../money/budget-reads.ts";
import { USED_IN_SQL } from "../money/budget-rows.ts";
import { type Cell, RECEIPT_COLUMNS, type ReceiptColumn, readReceipt } from "../rows.ts";

/**
 * Runs one of the texts below on a database. Texts introduce `$1`, `$2`… in ascending order, because
 * SQLite numbers them by first appearance.
 */
export type Query = (
  sql: string,
  params: readonly (string | number)[],
) => Promise<readonly unknown[]> | readonly unknown[];

function readFormerSecret({ last_four, ends_at }: FormerSecretRow): FormerSecret {
  return { lastFour: last_four, endsAtMs: Number(ends_at) };
}

const DAY_MS = 86_400_000;

/**
 * Entries `e` of no request. There is one for each request ever made: SQLite finds the few others by their index only
 * where its condition is said in the same words.
 */
const OF_MONEY_SQL = "e.kind <> 'post' and e.kind <> 'void'";
/** Of an account `s`. */
const TOPUPS_SQL = `select 1 from entries e where e.account_id = s.id
  and ${OF_MONEY_SQL} and e.kind = 'topup'`;

/** The reads that both databases share to the letter. Money comes back as text, to stay whole. */
export class Reads {
  readonly #query: Query;
  readonly #spendingColumns: string;

  /** `nowMsSql` is how the database says what time it is. */
  constructor(query: Query, nowMsSql: string) {
    this.#query = query;
    this.#spendingColumns = `${SPENDING_COLUMNS}, ${nowMsSql} as now_ms`;
  }

  async #rows<T>(sql: string, ...params: (string | number)[]): Promise<readonly T[]> {
    return (await this.#query(sql, params)) as readonly T[];
  }

  async findAccount(id: string): Promise<Account | undefined> {
    const [row] = await this.#rows<AccountRow>(
      `select ${ACCOUNT_COLUMNS} from accounts a where a.id = $1`,
      id,
    );
    return row && readAccount(row);
  }

  async operatorAccount(): Promise<Account | undefined> {
    const [row] = await this.#rows<AccountRow>(
      `select ${ACCOUNT_COLUMNS} from accounts a where a.operator = 1`,
    );
    return row && readAccount(row);
  }

  async isUnused(id: string, exceptEntry: string): Promise<boolean> {
    // Without a key there is no request.
    const rows = await this.#rows(
      `select 1 from keys where account_id = $1
       union all select 1 from entries e where e.account_id = $1 and ${OF_MONEY_SQL}
         and coalesce(e.ref, '') <> $2 limit 1`,
      ...[id, exceptEntry],
    );
    return rows.length === 0;
  }

  async listAccounts(): Promise<readonly AccountSummary[]> {
    const rows = await this.#rows<AccountRow & { balance: string; keys: Integer }>(
      `select ${ACCOUNT_COLUMNS}, cast(s.max - s.used as text) as balance,
         (select count(*) from keys k
           where k.account_id = a.id and k.deleted_at is null) as keys
       from accounts a join scopes s on s.id = a.id order by a.created_at, a.id`,
    );
    return rows.map((row) => ({
      ...readAccount(row),
      balance: BigInt(row.balance),
      keys: Number(row.keys),
    }));
  }

  readonly #used: AskUsed = async (keyId, { startMs, endMs }) => {
    const [row] = await this.#rows<{ used: string }>(USED_IN_SQL, keyId, startMs, endMs);
    return BigInt(row?.used ?? 0);
  };

  async #describe(filter: string, ...params: string[]): Promise<readonly KeySummary[]> {
    const rows = await this.#rows<KeyRow & SpendingRow>(
      `select ${KEY_COLUMNS}, ${this.#spendingColumns} from keys k join scopes s on s.id = k.id
         left join budgets b on b.key_id = k.id
       ${filter} order by k.created_at, k.id`,
      ...params,
    );
    const secrets = await this.#rows<FormerSecretRow>(
      `select f.key_id, f.last_four, f.ends_at from former_secrets f join keys k on k.id = f.key_id
       ${filter} order by f.ends_at desc, f.hash`,
      ...params,
    );
    const usedIn = await usedBehind(rows, this.#used);
    const former = Map.groupBy(secrets, ({ key_id }) => key_id);
    // A key has a row for each of its budgets, and one where it has none.
    return Map.groupBy(rows, ({ id }) => id)
      .values()
      .map((ofKey) => {
        const key = readKey(ofKey[0] as KeyRow);
        const formerSecrets = (former.get(key.id) ?? []).map(readFormerSecret);
        return { ...key, ...readSpending(ofKey, usedIn), formerSecrets };
      })
      .toArray();
  }

  listKeys(accountId?: string): Promise<readonly KeySummary[]> {
    if (accountId === undefined) return this.#describe("where k.deleted_at is null");
    return this.#describe("where k.account_id = $1 and k.deleted_at is null", accountId);
  }

  async describeKey(id: string): Promise<KeySummary | undefined> {
    return (await this.#describe("where k.id = $1", id))[0];
  }

  async balance(accountId: string): Promise<Balance | undefined> {
    const [row] = await this.#rows<{
      max: string;
      used: string;
      held: string;
      running: Integer;
      has_topup: Integer;
    }>(
      `select cast(s.max as text) as max, cast(s.used as text) as used, cast(s.held as text) as held, s.running,
         case when exists (${TOPUPS_SQL}) then 1 else 0 end as has_topup
       from scopes s where s.id = $1 and s.kind = 'balance'`,
      accountId,
    );
    if (!row) return undefined;
    return {
      credited: BigInt(row.max),
      charged: BigInt(row.used),
      held: BigInt(row.held),
      running: BigInt(row.running),
      trialOnly: Number(row.has_topup) === 0,
    };
  }

  async accountOfEntry(id: string): Promise<string | undefined> {
    const [row] = await this.#rows<{ account_id: string }>(
      "select account_id from entries where ref = $1",
      id,
    );
    return row?.account_id;
  }

  async spending(keyId: string): Promise<KeySpending | undefined> {
    const rows = await this.#rows<SpendingRow>(
      `select ${this.#spendingColumns} from scopes s left join budgets b on b.key_id = s.key_id
       where s.id = $1 and s.kind = 'key'`,
      keyId,
    );
    if (rows.length === 0) return undefined;
    return readSpending(rows, await usedBehind(rows, this.#used));
  }

  async findReceipt(id: string, accountId: string, keyId?: string): Promise<Receipt | undefined> {
    const money: readonly ReceiptColumn[] = ["cost", "held", "loss"];
    const columns = RECEIPT_COLUMNS.map((name) =>
      money.includes(name) ? `cast(${name} as text) as ${name}` : name,
    ).join(", ");
    const column = id.startsWith("req_") ? "id" : "response_id";
    const rows = await this.#rows<Record<ReceiptColumn, Cell>>(
      `select ${columns} from receipts where ${column} = $1 and account_id = $2
       order by created_at desc, id desc limit 8`,
      id,
      accountId,
    );
    const row = rows.find((candidate) => keyId === undefined || candidate.key_id === keyId);
    return row && readReceipt(row);
  }

  async usage({ sinceMs, keysTogether, ...wanted }: UsageQuery): Promise<readonly UsageRow[]> {
    const filters = ["day >= $1"];
    const params: (string | number)[] = [Math.floor(sinceMs / DAY_MS)];
    for (const [column, value] of [
      ["account_id", wanted.accountId],
      ["key_id", wanted.keyId],
      ["model", wanted.model],
    ] as const) {
      if (value === undefined) continue;
      params.push(value);
      filters.push(`${column} = $${params.length}`);
    }
    const groups = `day, account_id, ${keysTogether ? "" : "key_id, "}model`;
    const rows = await this.#rows<Record<string, Cell>>(
      `select day, account_id, ${keysTogether ? "'' as " : ""}key_id, model,
         cast(sum(requests) as text) as requests, cast(sum(failures) as text) as failures,
         cast(sum(fresh + cache_read + cache_write + cache_write_long) as text) as input,
         cast(sum(output) as text) as output, cast(sum(cost) as text) as cost
       from usage_days where ${filters.join(" and ")}
       group by ${groups} having sum(requests) > 0
       order by ${groups}`,
      ...params,
    );
    return rows.map((row) => ({
      day: new Date(Number(row.day) * DAY_MS).toISOString().slice(0, 10),
      accountId: String(row.account_id),
      keyId: String(row.key_id),
      model: String(row.model),
      requests: Number(row.requests),
      failures: Number(row.failures),
      inputTokens: Number(row.input),
      outputTokens: Number(row.output),
      cost: BigInt(row.cost ?? 0),
    }));
  }
}
