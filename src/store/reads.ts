import type { Account, AccountSummary, KeySummary } from "../accounts/account.ts";
import type { Balance, Budget, UsageQuery, UsageRow } from "../ledger/books.ts";
import type { Receipt } from "../ledger/receipt.ts";
import { type AccountRow, type Integer, type KeyRow, readAccount, readKey } from "./key-rows.ts";
import { type Cell, RECEIPT_COLUMNS, type ReceiptColumn, readReceipt } from "./rows.ts";

/**
 * Runs one of the texts below on a database. Texts introduce `$1`, `$2`… in ascending order, because
 * SQLite numbers them by first appearance.
 */
export type Query = (
  sql: string,
  params: readonly (string | number)[],
) => Promise<readonly unknown[]> | readonly unknown[];

const HOURS_PER_DAY = 24;
const DAY_MS = 86_400_000;

/** The reads that both databases share to the letter. Money comes back as text, to stay whole. */
export class Reads {
  readonly #query: Query;

  constructor(query: Query) {
    this.#query = query;
  }

  async #rows<T>(sql: string, ...params: (string | number)[]): Promise<readonly T[]> {
    return (await this.#query(sql, params)) as readonly T[];
  }

  async findAccount(id: string): Promise<Account | undefined> {
    const [row] = await this.#rows<AccountRow>("select * from accounts where id = $1", id);
    return row && readAccount(row);
  }

  async operatorAccount(): Promise<Account | undefined> {
    const [row] = await this.#rows<AccountRow>("select * from accounts where operator = 1");
    return row && readAccount(row);
  }

  async listAccounts(): Promise<readonly AccountSummary[]> {
    const rows = await this.#rows<AccountRow & { balance: string; keys: Integer }>(
      `select a.*, cast(s.max - s.used as text) as balance,
         (select count(*) from keys k where k.account_id = a.id) as keys
       from accounts a join scopes s on s.id = a.id order by a.created_at, a.id`,
    );
    return rows.map((row) => ({
      ...readAccount(row),
      balance: BigInt(row.balance),
      keys: Number(row.keys),
    }));
  }

  async listKeys(accountId?: string): Promise<readonly KeySummary[]> {
    const columns = "k.*, cast(s.max as text) as budget, cast(s.used as text) as used";
    const from = `select ${columns} from keys k join scopes s on s.id = k.id`;
    type Row = KeyRow & { budget: string | null; used: string };
    const rows =
      accountId === undefined
        ? await this.#rows<Row>(`${from} order by k.created_at, k.id`)
        : await this.#rows<Row>(
            `${from} where k.account_id = $1 order by k.created_at, k.id`,
            accountId,
          );
    return rows.map((row) => ({
      ...readKey(row),
      budget: row.budget === null ? null : BigInt(row.budget),
      used: BigInt(row.used),
    }));
  }

  async balance(accountId: string): Promise<Balance | undefined> {
    const [row] = await this.#rows<{ max: string; used: string; held: string; topups: Integer }>(
      `select cast(s.max as text) as max, cast(s.used as text) as used, cast(s.held as text) as held,
         (select count(*) from entries e where e.account_id = s.id and e.kind = 'topup') as topups
       from scopes s where s.id = $1 and s.kind = 'balance'`,
      accountId,
    );
    if (!row) return undefined;
    return {
      credited: BigInt(row.max),
      charged: BigInt(row.used),
      held: BigInt(row.held),
      trialOnly: Number(row.topups) === 0,
    };
  }

  async budget(keyId: string): Promise<Budget | undefined> {
    const [row] = await this.#rows<{ max: string | null; used: string; held: string }>(
      `select cast(max as text) as max, cast(used as text) as used, cast(held as text) as held
       from scopes where id = $1 and kind = 'budget'`,
      keyId,
    );
    if (!row) return undefined;
    return {
      max: row.max === null ? null : BigInt(row.max),
      used: BigInt(row.used),
      held: BigInt(row.held),
    };
  }

  async findReceipt(id: string, accountId: string, keyId?: string): Promise<Receipt | undefined> {
    const money: readonly ReceiptColumn[] = ["cost", "held", "loss"];
    const columns = RECEIPT_COLUMNS.map((name) =>
      money.includes(name) ? `cast(${name} as text) as ${name}` : name,
    ).join(", ");
    const column = id.startsWith("req_") ? "id" : "response_id";
    const rows = await this.#rows<Record<ReceiptColumn, Cell>>(
      `select ${columns} from receipts where ${column} = $1 and account_id = $2
       order by created_at desc limit 8`,
      id,
      accountId,
    );
    const row = rows.find((candidate) => keyId === undefined || candidate.key_id === keyId);
    return row && readReceipt(row);
  }

  async usage(query: UsageQuery): Promise<readonly UsageRow[]> {
    const filters = ["hour >= $1"];
    const params: (string | number)[] = [Math.floor(query.sinceMs / 3_600_000)];
    for (const [column, value] of [
      ["account_id", query.accountId],
      ["key_id", query.keyId],
    ] as const) {
      if (value === undefined) continue;
      params.push(value);
      filters.push(`${column} = $${params.length}`);
    }
    const rows = await this.#rows<Record<string, Cell>>(
      `select hour / ${HOURS_PER_DAY} as day, account_id, key_id, model,
         cast(sum(requests) as text) as requests, cast(sum(failures) as text) as failures,
         cast(sum(fresh + cache_read + cache_write + cache_write_long) as text) as input,
         cast(sum(output) as text) as output, cast(sum(cost) as text) as cost
       from rollups where ${filters.join(" and ")}
       group by hour / ${HOURS_PER_DAY}, account_id, key_id, model
       order by 1, 2, 3, 4`,
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
