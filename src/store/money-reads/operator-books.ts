import type {
  AccountRow,
  ChannelSum,
  DayRange,
  HoldRow,
  InputLosses,
  InputLossRow,
  OperatorBooks,
  OverageRow,
} from "../../console/operator/store.ts";
import type { PageQuery } from "../../lib/listing.ts";
import {
  ACCOUNT_COLUMNS,
  type Integer,
  type AccountRow as KeptAccount,
  readAccount,
} from "../keys/key-rows.ts";
import { DAY_MS } from "../reads/channel-days.ts";
import { containing } from "../reads/containing.ts";
import { HOUR_MS } from "../reads/rollups.ts";
import { type MoneyReader, type ReadStatement, readRows, statement } from "./reader.ts";
import { StatementParameters } from "./statement-parameters.ts";
import { type FundsRow, readFunds } from "./usage.ts";

type Cell = string | number | bigint | null;
type Row = Readonly<Record<string, Cell>>;
type Param = string | number;

const ACCOUNT_SQL = `select ${ACCOUNT_COLUMNS},
    cast(s.max as text) as credited, cast(s.used as text) as charged, cast(s.held as text) as held,
    (select count(*) from keys k where k.account_id = a.id and k.deleted_at is null) as keys
  from accounts a join scopes s on s.id = a.id`;

/** A receipt that was replaced may leave a sum of nothing. */
const SUMS_SQL = `select channel, model, price_version, sum(requests) as requests,
    sum(failures) as failures, sum(fresh) as fresh, sum(cache_read) as cache_read,
    sum(cache_write) as cache_write, sum(cache_write_long) as cache_write_long,
    sum(output) as output, sum(web_searches) as web_searches,
    cast(sum(cost) as text) as charged, cast(sum(loss) as text) as loss,
    cast(sum(overage) as text) as overage
  from channel_days where day >= $1 and day < $2
  group by channel, model, price_version having sum(requests) > 0`;

/** By account, which the days are sorted by: nothing is read of other days. */
const REQUESTS_SQL = `select coalesce(sum(u.requests), 0) as requests,
    coalesce(sum(u.failures), 0) as failures
  from accounts a join usage_days u on u.account_id = a.id and u.day >= $1 and u.day < $2`;

/** The condition on the hold is that of the index, to the letter, which has all that is read here. */
const BEYOND_HOLD = `(select created_at, id, held, cost from receipts
  where cost > held and created_at >= $1 and created_at < $2
  order by created_at desc, id desc limit $3) beyond`;

const LOOKED_SQL = `select count(*) as looked, min(created_at) as since from ${BEYOND_HOLD}`;

const OVERAGES_SQL = `select r.id, r.account_id, r.key_id, r.model, r.created_at,
    cast(r.held as text) as held, cast(r.cost as text) as charged
  from (select id from ${BEYOND_HOLD} order by cost - held desc, id limit $4) largest
  join receipts r on r.id = largest.id order by r.cost - r.held desc, r.id`;

const OPEN_HOLDS_SQL = "select count(*) as open from holds";

const OVERDRAWN_SQL = `${ACCOUNT_SQL} where s.kind = 'balance' and s.used > s.max
  order by s.used - s.max desc, a.id limit $1`;

/** What was lost by day and by channel or account. The table has a row only where something was lost. */
function inputLossesSql(of: "channel" | "account_id"): string {
  return `select day, ${of} as name, sum(requests) as requests, cast(sum(loss) as text) as loss
    from input_losses where day >= $1 and day < $2
    group by day, ${of} order by day desc, sum(loss) desc, ${of} limit $3`;
}

const INPUT_LOSS_SQL = `select cast(coalesce(sum(loss), 0) as text) as loss
  from input_losses where day >= $1 and day < $2`;

function readInputLoss(row: Row): InputLossRow {
  return {
    day: Number(row.day),
    of: String(row.name),
    requests: Number(row.requests),
    loss: money(row.loss),
  };
}

function money(cell: Cell | undefined): bigint {
  return BigInt(cell ?? 0);
}

/** By the accounts whose keys were used, so that no row of an account that sleeps is read. */
const HOURS_SQL = `select hour, sum(requests) as requests, sum(failures) as failures,
    cast(sum(cost) as text) as spend
  from rollups where account_id in (select account_id from keys where last_used_at >= $1)
    and hour >= $2
  group by hour`;

const COUNTS_SQL = `select
    (select count(distinct account_id) from keys where last_used_at >= $1) as active,
    (select count(*) from accounts) as accounts`;

type AccountCells = KeptAccount & FundsRow & { readonly keys: Integer };

function readAccountRow(row: AccountCells): AccountRow {
  return { ...readAccount(row), ...readFunds(row), keys: Number(row.keys) };
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

function accountsSql({ after, limit }: PageQuery, named: string | undefined): ReadStatement {
  const parameters = new StatementParameters();
  const place = (value: Param) => parameters.add(value);
  const filters: string[] = [];
  if (after !== undefined) filters.push(`a.id < ${place(after)}`);
  if (named !== undefined) {
    filters.push(`(${containing(["a.name"], named, place)} or a.id = ${place(named)})`);
  }
  const where = filters.length > 0 ? `where ${filters.join(" and ")}` : "";
  const text = `${ACCOUNT_SQL} ${where} order by a.id desc limit ${place(limit + 1)}`;
  return statement(text, ...parameters.params);
}

/** A condition on a column, whose values are the only ones of the statement. */
function amongThese(values: readonly Param[]): string {
  return `in (${values.map((_, index) => `$${index + 1}`).join(", ")})`;
}

function namesSql(ids: readonly string[]): string {
  const named = (table: string) => `select id, name from ${table} where id ${amongThese(ids)}`;
  return `${named("accounts")} union all ${named("keys")}`;
}

function keysSql(ids: readonly string[]): string {
  return `select account_id, count(*) as keys from keys
    where id ${amongThese(ids)} and deleted_at is null group by account_id`;
}

function latelyOf(reader: MoneyReader): OperatorBooks["lately"] {
  return async (fromHour, activeSinceMs) => {
    const [counts = [], rows = []] = await reader.read([
      statement(COUNTS_SQL, activeSinceMs),
      statement(HOURS_SQL, fromHour * HOUR_MS, fromHour),
    ]);
    const [{ accounts = 0, active = 0 } = {}] = counts as readonly Row[];
    return {
      accounts: Number(accounts),
      active: Number(active),
      hours: (rows as readonly Row[]).map(({ hour, requests, failures, spend }) => ({
        hour: Number(hour),
        requests: Number(requests),
        failures: Number(failures),
        spend: money(spend),
      })),
    };
  };
}

function requestSumsOf(reader: MoneyReader): OperatorBooks["requestSums"] {
  return async ({ fromDay, toDay }) => {
    const [row] = await readRows<Row>(reader, statement(REQUESTS_SQL, fromDay, toDay));
    return { requests: Number(row?.requests), failures: Number(row?.failures) };
  };
}

/** Sums of days, by channel and by account. */
async function readInputLosses(
  reader: MoneyReader,
  { fromDay, toDay }: DayRange,
  limit: number,
): Promise<InputLosses> {
  const [channels = [], accounts = [], all = []] = (await reader.read([
    statement(inputLossesSql("channel"), fromDay, toDay, limit),
    statement(inputLossesSql("account_id"), fromDay, toDay, limit),
    statement(INPUT_LOSS_SQL, fromDay, toDay),
  ])) as readonly (readonly Row[])[];
  return {
    total: money(all[0]?.loss),
    byChannel: channels.map(readInputLoss),
    byAccount: accounts.map(readInputLoss),
  };
}

/** What operators read of the money database, by the same texts on both engines. */
export function operatorBooks(
  reader: MoneyReader,
  database: OperatorBooks["database"],
): OperatorBooks {
  const ask = <T = Row>(text: string, ...params: readonly Param[]) =>
    readRows<T>(reader, statement(text, ...params));
  return {
    ...{ database, lately: latelyOf(reader), requestSums: requestSumsOf(reader) },

    async accounts(page, named) {
      return (await readRows<AccountCells>(reader, accountsSql(page, named))).map(readAccountRow);
    },

    async account(id) {
      const [row] = await ask<AccountCells>(`${ACCOUNT_SQL} where a.id = $1`, id);
      return row && readAccountRow(row);
    },

    async namesOf(ids) {
      if (ids.length === 0) return new Map();
      const rows = await ask(namesSql(ids), ...ids);
      return new Map(rows.map(({ id, name }) => [String(id), String(name)]));
    },

    async keysAmong(ids) {
      const rows = ids.length === 0 ? [] : await ask(keysSql(ids), ...ids);
      return new Map(rows.map(({ account_id, keys }) => [String(account_id), Number(keys)]));
    },

    async holds(page) {
      const columns = `id, account_id, key_id, cast(amount as text) as amount, model, channel, endpoint,
        stream, created_at`;
      const from = (where: string, ...params: readonly Param[]) =>
        ask(
          `select ${columns} from holds ${where} order by id desc limit $${params.length + 1}`,
          ...params,
          page.limit + 1,
        );
      const rows = page.after === undefined ? from("") : from("where id < $1", page.after);
      return (await rows).map(readHold);
    },

    openHolds: async () => Number((await ask(OPEN_HOLDS_SQL))[0]?.open ?? 0),

    async channelSums({ fromDay, toDay }) {
      return (await ask(SUMS_SQL, fromDay, toDay)).map(readSum);
    },

    async overages({ fromDay, toDay }, most) {
      const within = [fromDay * DAY_MS, toDay * DAY_MS, most.looked];
      const [counts = [], rows = []] = await reader.read([
        statement(LOOKED_SQL, ...within),
        statement(OVERAGES_SQL, ...within, most.shown),
      ]);
      const [{ looked, since } = { looked: 0, since: 0 }] = counts as readonly Row[];
      const all = Number(looked) < most.looked;
      return {
        rows: (rows as readonly Row[]).map(readOverage),
        sinceMs: all ? undefined : Number(since),
      };
    },

    inputLosses: (span, limit) => readInputLosses(reader, span, limit),

    async overdrawn(limit) {
      return (await ask<AccountCells>(OVERDRAWN_SQL, limit)).map(readAccountRow);
    },
  };
}
