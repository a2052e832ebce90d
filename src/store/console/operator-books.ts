import type {
  AccountRow,
  ChannelSum,
  DatabaseFacts,
  HoldRow,
  OperatorBooks,
  OverageRow,
  Reached,
  Stretch,
} from "../../console/operator/store.ts";
import type { PageQuery } from "../../lib/listing.ts";
import { type MoneyReader, readRows, statement } from "../money-reads/reader.ts";
import { requestIdAt } from "../money-reads/request-spans.ts";

type Cell = string | number | bigint | null;
type Row = Readonly<Record<string, Cell>>;
type Param = string | number;

const ACCOUNT_SQL = `select a.id, a.name, a.operator, a.enabled, a.hard, a.created_at,
    cast(s.max as text) as credited, cast(s.used as text) as charged, cast(s.held as text) as held,
    (select count(*) from keys k where k.account_id = a.id) as keys
  from accounts a join scopes s on s.id = a.id`;

/** The newest receipts of a stretch, found by their ids, which begin with their time. */
function recent(columns: string): string {
  return `(select ${columns} from receipts where id >= $1 and id < $2
    order by id desc limit $3) recent`;
}

function within({ fromMs, toMs, receiptsMax }: Stretch): readonly Param[] {
  return [requestIdAt(fromMs), requestIdAt(toMs), receiptsMax];
}

const SUMS_SQL = `select channel, coalesce(served_model, model) as model,
    coalesce(price_version, '') as price_version, count(*) as requests,
    sum(case when status >= 400 then 1 else 0 end) as failures,
    sum(fresh) as fresh, sum(cache_read) as cache_read, sum(cache_write) as cache_write,
    sum(cache_write_long) as cache_write_long, sum(output) as output,
    sum(web_searches) as web_searches,
    cast(sum(cost) as text) as charged, cast(sum(loss) as text) as loss,
    cast(sum(case when cost > held then cost - held else 0 end) as text) as overage
  from ${recent(
    `channel, served_model, model, price_version, status, fresh, cache_read, cache_write,
     cache_write_long, output, web_searches, cost, loss, held`,
  )}
  where channel is not null
  group by channel, coalesce(served_model, model), coalesce(price_version, '')`;

const REACHED_SQL = `select count(*) as receipts, min(created_at) as since
  from ${recent("created_at")}`;

const OVERAGES_SQL = `select id, account_id, key_id, model, created_at,
    cast(held as text) as held, cast(cost as text) as charged
  from ${recent("id, account_id, key_id, model, created_at, held, cost")}
  where cost > held order by cost - held desc, id limit $4`;

const OVERDRAWN_SQL = `${ACCOUNT_SQL} where s.kind = 'balance' and s.used > s.max
  order by s.used - s.max desc, a.id limit $1`;

function money(cell: Cell | undefined): bigint {
  return BigInt(cell ?? 0);
}

function readAccount(row: Row): AccountRow {
  return {
    id: String(row.id),
    name: String(row.name),
    operator: Number(row.operator) === 1,
    enabled: Number(row.enabled) === 1,
    hard: Number(row.hard) === 1,
    createdAtMs: Number(row.created_at),
    credited: money(row.credited),
    charged: money(row.charged),
    held: money(row.held),
    keys: Number(row.keys),
  };
}

function readHold(row: Row): HoldRow {
  return {
    id: String(row.id),
    accountId: String(row.account_id),
    keyId: String(row.key_id),
    amount: money(row.amount),
    model: String(row.model),
    channel: String(row.channel),
    endpoint: String(row.endpoint),
    stream: Number(row.stream) === 1,
    createdAtMs: Number(row.created_at),
  };
}

function readSum(row: Row): ChannelSum {
  return {
    channel: String(row.channel),
    model: String(row.model),
    priceVersion: String(row.price_version),
    requests: Number(row.requests),
    failures: Number(row.failures),
    fresh: Number(row.fresh),
    cacheRead: Number(row.cache_read),
    cacheWrite: Number(row.cache_write),
    cacheWriteLong: Number(row.cache_write_long),
    output: Number(row.output),
    webSearches: Number(row.web_searches),
    charged: money(row.charged),
    loss: money(row.loss),
    overage: money(row.overage),
  };
}

function readOverage(row: Row): OverageRow {
  return {
    id: String(row.id),
    accountId: String(row.account_id),
    keyId: String(row.key_id),
    model: String(row.model),
    held: money(row.held),
    charged: money(row.charged),
    createdAtMs: Number(row.created_at),
  };
}

/** Letters that stand for others in a pattern, taken as themselves. */
function containing(text: string): string {
  return `%${text.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`;
}

/** What operators read of the money database, by the same texts on both engines. */
export class OperatorReads implements OperatorBooks {
  readonly #reader: MoneyReader;
  readonly #facts: () => Promise<DatabaseFacts>;

  constructor(reader: MoneyReader, facts: () => Promise<DatabaseFacts>) {
    this.#reader = reader;
    this.#facts = facts;
  }

  #rows(text: string, ...params: readonly Param[]): Promise<readonly Row[]> {
    return readRows<Row>(this.#reader, statement(text, ...params));
  }

  async accounts(page: PageQuery, named: string | undefined): Promise<readonly AccountRow[]> {
    const params: Param[] = [];
    const filters: string[] = [];
    const place = (value: Param) => `$${params.push(value)}`;
    if (page.after !== undefined) filters.push(`a.id < ${place(page.after)}`);
    if (named !== undefined) {
      const like = `lower(a.name) like ${place(containing(named))} escape '\\'`;
      filters.push(`(${like} or a.id = ${place(named)})`);
    }
    const where = filters.length > 0 ? `where ${filters.join(" and ")}` : "";
    const text = `${ACCOUNT_SQL} ${where} order by a.id desc limit ${place(page.limit + 1)}`;
    return (await this.#rows(text, ...params)).map(readAccount);
  }

  async account(id: string): Promise<AccountRow | undefined> {
    const [row] = await this.#rows(`${ACCOUNT_SQL} where a.id = $1`, id);
    return row && readAccount(row);
  }

  async holds(page: PageQuery): Promise<readonly HoldRow[]> {
    const columns = `id, account_id, key_id, cast(amount as text) as amount, model, channel, endpoint,
      stream, created_at`;
    const ask = (where: string, ...params: readonly Param[]) =>
      this.#rows(
        `select ${columns} from holds ${where} order by id desc limit $${params.length + 1}`,
        ...params,
        page.limit + 1,
      );
    const rows = page.after === undefined ? ask("") : ask("where id < $1", page.after);
    return (await rows).map(readHold);
  }

  async openHolds(): Promise<number> {
    const [row] = await this.#rows("select count(*) as open from holds");
    return Number(row?.open ?? 0);
  }

  async reached(stretch: Stretch): Promise<Reached> {
    const [row] = await this.#rows(REACHED_SQL, ...within(stretch));
    const receipts = Number(row?.receipts ?? 0);
    const whole = receipts < stretch.receiptsMax;
    return { receipts, whole, sinceMs: whole ? stretch.fromMs : Number(row?.since) };
  }

  async channelSums(stretch: Stretch): Promise<readonly ChannelSum[]> {
    return (await this.#rows(SUMS_SQL, ...within(stretch))).map(readSum);
  }

  async overages(stretch: Stretch, limit: number): Promise<readonly OverageRow[]> {
    return (await this.#rows(OVERAGES_SQL, ...within(stretch), limit)).map(readOverage);
  }

  async overdrawn(limit: number): Promise<readonly AccountRow[]> {
    return (await this.#rows(OVERDRAWN_SQL, limit)).map(readAccount);
  }

  database(): Promise<DatabaseFacts> {
    return this.#facts();
  }
}
