import type {
  ConsoleStore,
  HourRange,
  HourUsage,
  UsageFilter,
  UsageSums,
} from "../../console/store.ts";
import { listed } from "../reads/usage-sums.ts";
import { type MoneyReader, type ReadStatement, readRows, statement } from "./reader.ts";
import { StatementParameters } from "./statement-parameters.ts";

const SUMS = `cast(sum(requests) as text) as requests, cast(sum(failures) as text) as failures,
  cast(sum(fresh + cache_read + cache_write + cache_write_long) as text) as input,
  cast(sum(cache_read) as text) as cached, cast(sum(output) as text) as output,
  cast(sum(cost) as text) as cost`;

interface SumsRow {
  readonly requests: string;
  readonly failures: string;
  readonly input: string;
  readonly cached: string;
  readonly output: string;
  readonly cost: string;
}

function readSums(row: SumsRow): UsageSums {
  return {
    requests: Number(row.requests),
    failures: Number(row.failures),
    inputTokens: Number(row.input),
    cachedTokens: Number(row.cached),
    outputTokens: Number(row.output),
    cost: BigInt(row.cost),
  };
}

type HourRow = SumsRow & { readonly hour: number | bigint };

function readHour(row: HourRow): HourUsage {
  return { hour: Number(row.hour), ...readSums(row) };
}

const HOURS_PER_DAY = 24;

/** What a filter asks of rows that lie within a time, as `where` has it. */
export function conditionsOf(
  filter: Omit<UsageFilter, keyof HourRange>,
  parameters: StatementParameters,
): string {
  const conditions = [`account_id = ${parameters.add(filter.accountId)}`];
  if (filter.keyId !== undefined) conditions.push(`key_id = ${parameters.add(filter.keyId)}`);
  if (filter.model !== undefined) conditions.push(`model = ${parameters.add(filter.model)}`);
  return conditions.join(" and ");
}

/** Each hour with its sum; of all keys and models there is one that is kept. */
function hourlySql(filter: UsageFilter): ReadStatement {
  const whole = filter.keyId === undefined && filter.model === undefined;
  const parameters = new StatementParameters();
  const conditions = conditionsOf(filter, parameters);
  const [from, to] = [parameters.add(filter.fromHour), parameters.add(filter.toHour)];
  return statement(
    `select hour, ${SUMS} from ${whole ? "usage_hours" : "rollups"}
     where ${conditions} and hour >= ${from} and hour < ${to} group by hour order by hour`,
    ...parameters.params,
  );
}

/** Sums by a column: of whole UTC days as they are kept, and of the hours on both sides of them. */
function groupedSql(filter: UsageFilter, column: "key_id" | "model"): ReadStatement {
  const parameters = new StatementParameters();
  const conditions = conditionsOf(filter, parameters);
  const { fromHour, toHour } = filter;
  const firstDay = Math.ceil(fromHour / HOURS_PER_DAY);
  const lastDay = Math.max(firstDay, Math.floor(toHour / HOURS_PER_DAY));
  const part = (table: string, time: string, from: number, to: number) =>
    `select ${column}, ${listed((name) => name)} from ${table}
     where ${conditions} and ${time} >= ${parameters.add(from)} and ${time} < ${parameters.add(to)}`;
  const parts = [
    part("rollups", "hour", fromHour, Math.min(toHour, firstDay * HOURS_PER_DAY)),
    part("usage_days", "day", firstDay, lastDay),
    part("rollups", "hour", Math.max(fromHour, lastDay * HOURS_PER_DAY), toHour),
  ];
  return statement(
    `select ${column}, ${SUMS} from (${parts.join(" union all ")}) parts group by ${column}
     having sum(requests) > 0 order by ${column}`,
    ...parameters.params,
  );
}

/** What is equal stays as the database has sorted it, by name. */
function dearestFirst(a: UsageSums, b: UsageSums): number {
  if (a.cost !== b.cost) return a.cost > b.cost ? -1 : 1;
  return b.requests - a.requests;
}

type UsageReads = Pick<ConsoleStore, "standing" | "usageByHour" | "usageByModel" | "usageByKey">;

/** Usage from the sums that are kept by the hour; the receipts themselves are never added up. */
export function usageReads(reader: MoneyReader): UsageReads {
  return {
    async usageByHour(filter) {
      return (await readRows<HourRow>(reader, hourlySql(filter))).map(readHour);
    },

    async usageByModel(filter) {
      type Row = SumsRow & { readonly model: string };
      const rows = await readRows<Row>(reader, groupedSql(filter, "model"));
      return rows.map((row) => ({ model: row.model, ...readSums(row) })).toSorted(dearestFirst);
    },

    async usageByKey(filter) {
      type Row = SumsRow & { readonly key_id: string; readonly name: string | null };
      const { text, params } = groupedSql(filter, "key_id");
      const named = `select s.*, k.name from (${text}) s left join keys k on k.id = s.key_id
        order by s.key_id`;
      const rows = await readRows<Row>(reader, { text: named, params });
      return rows
        .map((row) => ({ keyId: row.key_id, keyName: row.name ?? "", ...readSums(row) }))
        .toSorted(dearestFirst);
    },

    async standing(accountId, range, besides = []) {
      const [funds = [], accounts = [], hours = [], keys = []] = await reader.read([
        statement(`${FUNDS_SQL} where s.id = $1 and s.kind = 'balance'`, accountId),
        statement(
          "select cast(overdraft as text) as overdraft from accounts where id = $1",
          accountId,
        ),
        hourlySql({ accountId, ...range }),
        oneKeySql(accountId, besides),
      ]);
      const [row] = funds as readonly FundsRow[];
      const [account] = accounts as readonly { overdraft: string }[];
      if (!row || !account) return undefined;
      return {
        ...readFunds(row),
        overdraft: BigInt(account.overdraft),
        hasKey: keys.length > 0,
        hours: (hours as readonly HourRow[]).map(readHour),
      };
    },
  };
}

export interface FundsRow {
  readonly credited: string;
  readonly charged: string;
  readonly held: string;
}

export const FUNDS_SQL = `select cast(s.max as text) as credited, cast(s.used as text) as charged,
  cast(s.held as text) as held
  from scopes s`;

/** Any key of an account that is there, but for some. */
function oneKeySql(accountId: string, besides: readonly string[]) {
  const parameters = besides.map((_, index) => `$${index + 2}`).join(", ");
  const other = besides.length > 0 ? `and id not in (${parameters})` : "";
  const text = `select id from keys where account_id = $1 and deleted_at is null ${other} limit 1`;
  return statement(text, accountId, ...besides);
}

export function readFunds(row: FundsRow) {
  return {
    credited: BigInt(row.credited),
    charged: BigInt(row.charged),
    held: BigInt(row.held),
  };
}
