import { BALANCE_MAX, CHARGE_MAX } from "../../catalogue/money.ts";
import type { Verification } from "../../ledger/books.ts";
import {
  CHANNEL_CELLS_SQL,
  CHANNEL_DAY_COLUMNS,
  DAY_MS,
  listedChannelSums,
} from "../reads/channel-days.ts";
import type { Query } from "../reads/reads.ts";
import { HOUR_MS } from "../reads/rollups.ts";
import { listed } from "../reads/usage-sums.ts";
import { chargedAt } from "./given-back.ts";

interface Check {
  readonly claim: string;
  readonly sql: string;
}

/** Rows of a table of sums that differ from the rollups they are of, or have none. */
function usageDifferences(
  table: string,
  time: string,
  rollupTime: string,
  subjects: readonly string[],
): string {
  const subject = subjects.join(", ");
  const differs = listed((name) => `sum(${name}) <> 0`).replaceAll(", ", " or ");
  return `select account_id as subject, cast(sum(kept) as text) as kept, cast(sum(summed) as text) as summed
    from (
      select ${subject}, ${time} as time, cost as kept, 0 as summed, ${listed((name) => name)}
      from ${table}
      union all
      select ${subject}, ${rollupTime}, 0, cost, ${listed((name) => `-${name}`)} from rollups
    ) both_sides
    group by ${subject}, time having ${differs}`;
}

const CHANNEL_COLUMNS = CHANNEL_DAY_COLUMNS.join(", ");

/** Days of channels that differ from their receipts, or have none. */
const CHANNEL_DIFFERENCES = `
  with receipt_cells (${CHANNEL_COLUMNS}) as (
    select ${CHANNEL_CELLS_SQL} from receipts where channel is not null)
  select channel as subject, cast(sum(kept) as text) as kept, cast(sum(summed) as text) as summed
  from (
    select ${CHANNEL_COLUMNS}, cost as kept, 0 as summed from channel_days
    union all
    select day, channel, model, price_version, ${listedChannelSums((name) => `-${name}`)}, 0, cost
    from receipt_cells
  ) both_sides
  group by day, channel, model, price_version
  having ${listedChannelSums((name) => `sum(${name}) <> 0`).replaceAll(", ", " or ")}`;

/**
 * Every sum of the books, computed again from what it is a sum of. Each text returns the subjects
 * for which the two differ. They run unchanged on both databases. Where entries are looked up by
 * their hold, the condition of the partial index is spelled out, or SQLite would not use it. Where
 * nothing is held nobody reads how many run, and the next request begins to count anew.
 */
export const CHECKS: readonly Check[] = [
  {
    claim: "credited = sum of its credit entries",
    sql: `select s.id as subject, cast(s.max as text) as kept, cast(coalesce(e.total, 0) as text) as summed
      from scopes s left join (select account_id,
          sum(case when kind in ('refund', 'reversal') then -amount else amount end) as total
        from entries where kind <> 'post' and kind <> 'void' and kind <> 'correction' group by account_id) e on e.account_id = s.id
      where s.kind = 'balance' and coalesce(s.max, -1) <> coalesce(e.total, 0)`,
  },
  {
    claim: "charged = sum of its posts and corrections",
    sql: `select s.id as subject, cast(s.used as text) as kept, cast(coalesce(e.total, 0) as text) as summed
      from scopes s left join (select account_id, sum(amount) as total from entries
        where kind in ('post', 'correction') group by account_id) e on e.account_id = s.id
      where s.kind = 'balance' and s.used <> coalesce(e.total, 0)`,
  },
  {
    claim: "used = sum of the key's posts and corrections",
    sql: `select s.id as subject, cast(s.used as text) as kept, cast(coalesce(e.total, 0) as text) as summed
      from scopes s left join (select key_id, sum(amount) as total from entries
        where kind in ('post', 'correction') group by key_id) e on e.key_id = s.key_id
      where s.kind = 'key' and s.used <> coalesce(e.total, 0)`,
  },
  {
    claim:
      "a budget's used = sum of the key's posts and corrections since its window began, less what of them was given back",
    sql: `select b.id as subject, cast(s.used - b.base as text) as kept,
        cast(coalesce(e.total, 0) - coalesce(g.total, 0) as text) as summed
      from budgets b join scopes s on s.id = b.key_id
      left join (select i.id, sum(p.amount) as total
        from entries p cross join budgets i
        where i.key_id = p.key_id and p.kind in ('post', 'correction') and p.created_at >= i.window_start
          and (i.resets_at is null or p.created_at < i.resets_at)
        group by i.id) e on e.id = b.id
      left join (select i.id, sum(r.amount) as total
        from entries r cross join budgets i
        where i.key_id = r.key_id and r.kind = 'restore'
          and ${chargedAt("r.hold_id")} >= i.window_start
          and (i.resets_at is null or ${chargedAt("r.hold_id")} < i.resets_at)
        group by i.id) g on g.id = b.id
      where s.used - b.base <> coalesce(e.total, 0) - coalesce(g.total, 0)`,
  },
  {
    claim: "what is given back was charged to its key",
    sql: `select e.hold_id as subject, cast(e.amount as text) as kept, cast(r.cost as text) as summed
      from entries e left join receipts r on r.id = e.hold_id
      where e.kind = 'restore' and e.hold_id is not null
        and (r.id is null or r.cost <> e.amount or r.key_id <> e.key_id)`,
  },
  {
    claim: "held = sum of the account's open holds",
    sql: `select s.id as subject, cast(s.held as text) as kept, cast(coalesce(h.total, 0) as text) as summed
      from scopes s left join (select account_id, sum(amount) as total from holds
        group by account_id) h on h.account_id = s.id
      where s.kind = 'balance' and s.held <> coalesce(h.total, 0)`,
  },
  {
    claim: "held = sum of the key's open holds",
    sql: `select s.id as subject, cast(s.held as text) as kept, cast(coalesce(h.total, 0) as text) as summed
      from scopes s left join (select key_id, sum(amount) as total from holds
        group by key_id) h on h.key_id = s.key_id
      where s.kind = 'key' and s.held <> coalesce(h.total, 0)`,
  },
  {
    claim: "running = number of the account's open holds with money",
    sql: `select s.id as subject, cast(s.running as text) as kept, cast(coalesce(h.open, 0) as text) as summed
      from scopes s left join (select account_id, count(*) as open from holds
        where amount > 0 group by account_id) h on h.account_id = s.id
      where s.kind = 'balance' and s.held > 0 and s.running <> coalesce(h.open, 0)`,
  },
  {
    claim: "running = number of the key's open holds with money",
    sql: `select s.id as subject, cast(s.running as text) as kept, cast(coalesce(h.open, 0) as text) as summed
      from scopes s left join (select key_id, count(*) as open from holds
        where amount > 0 group by key_id) h on h.key_id = s.key_id
      where s.kind = 'key' and s.held > 0 and s.running <> coalesce(h.open, 0)`,
  },
  {
    claim: "a resolved hold has a receipt of the same cost",
    sql: `select e.hold_id as subject, cast(e.amount + coalesce(c.amount, 0) as text) as kept,
        cast(r.cost as text) as summed
      from entries e left join receipts r on r.id = e.hold_id
      left join entries c on c.hold_id = e.hold_id and c.kind = 'correction'
      where e.kind in ('post', 'void') and (r.id is null or r.cost <> e.amount + coalesce(c.amount, 0))`,
  },
  {
    claim: "a charged receipt has a post or a correction",
    sql: `select r.id as subject, cast(r.cost as text) as kept, '0' as summed
      from receipts r left join entries e on e.hold_id = r.id and e.kind in ('post', 'void')
        and e.kind = 'post'
      left join entries c on c.hold_id = r.id and c.kind = 'correction'
      where r.cost > 0 and e.seq is null and c.seq is null`,
  },
  {
    claim: "what is corrected was void, and is no longer interrupted",
    sql: `select c.hold_id as subject, cast(c.amount as text) as kept, r.billing_reason as summed
      from entries c left join entries e on e.hold_id = c.hold_id and e.kind in ('post', 'void')
        and e.kind = 'void'
      left join receipts r on r.id = c.hold_id
      where c.kind = 'correction'
        and (e.seq is null or r.id is null or r.billing_reason = 'interrupted')`,
  },
  {
    claim: "an open hold is not resolved",
    sql: `select h.id as subject, cast(h.amount as text) as kept, cast(e.amount as text) as summed
      from holds h join entries e on e.hold_id = h.id and e.kind in ('post', 'void')`,
  },
  {
    claim: "rollups = sum of receipts",
    sql: `select key_id as subject, cast(sum(kept) as text) as kept, cast(sum(summed) as text) as summed
      from (
        select key_id, model, hour, cost as kept, 0 as summed, requests, failures,
          fresh, cache_read, cache_write, cache_write_long, output
        from rollups
        union all
        select key_id, model, created_at / ${HOUR_MS}, 0, cost, -requests,
          case when status >= 400 then -requests else 0 end, -fresh, -cache_read, -cache_write,
          -cache_write_long, -output
        from receipts
      ) both_sides
      group by key_id, model, hour
      having sum(kept) <> sum(summed) or sum(requests) <> 0 or sum(failures) <> 0 or sum(fresh) <> 0
        or sum(cache_read) <> 0 or sum(cache_write) <> 0
        or sum(cache_write_long) <> 0 or sum(output) <> 0`,
  },
  {
    claim: "usage of an hour = its keys and models",
    sql: usageDifferences("usage_hours", "hour", "hour", ["account_id"]),
  },
  {
    claim: "usage of a day = its hours",
    sql: usageDifferences("usage_days", "day", "hour / 24", ["account_id", "key_id", "model"]),
  },
  { claim: "a day of a channel = sum of its receipts", sql: CHANNEL_DIFFERENCES },
  {
    claim: "what an account's input lost on a day = sum of its receipts",
    sql: `select account_id as subject, cast(sum(kept) as text) as kept, cast(sum(summed) as text) as summed
      from (
        select day, account_id, channel, requests, loss as kept, 0 as summed from input_losses
        union all
        select created_at / ${DAY_MS}, account_id, coalesce(channel, ''), -1, 0, input_loss
        from receipts where input_loss > 0
      ) both_sides
      group by day, account_id, channel having sum(kept) <> sum(summed) or sum(requests) <> 0`,
  },
];

/** Rows of amounts and counts of which one is below zero, or more than is ever written. */
function wildRows(table: string, subject: string, columns: readonly string[], most: bigint): Check {
  const isWild = columns.map((name) => `${name} < 0 or ${name} > ${most}`).join(" or ");
  const shown = columns.map((name) => `'${name} ' || coalesce(cast(${name} as text), '-')`);
  return {
    claim: `amounts and counts of ${table} are from 0 to ${most}`,
    sql: `select ${subject} as subject, ${shown.join(" || ', ' || ")} as kept,
        'what can have been written' as summed
      from ${table} where ${isWild}`,
  };
}

const COUNTS = ["fresh", "cache_read", "cache_write", "cache_write_long", "output"];

const WILD_ROWS: readonly Check[] = [
  wildRows("entries", "'entry ' || seq", ["amount"], CHARGE_MAX),
  wildRows(
    "receipts",
    "id",
    ["cost", "held", "loss", "input_loss", "requests", ...COUNTS],
    CHARGE_MAX,
  ),
  wildRows("holds", "id", ["amount", "input_cost"], CHARGE_MAX),
  wildRows("scopes", "id", ["max", "used", "held", "running"], BALANCE_MAX),
  wildRows("budgets", "id", ["max", "base"], BALANCE_MAX),
];

const COUNTS_SQL = `select
  (select count(*) from accounts) as accounts,
  (select count(*) from keys) as keys,
  (select count(*) from entries) as entries,
  (select count(*) from receipts) as receipts,
  (select count(*) from holds) as open_holds`;

/** A subject for which what is kept is not what was added up. */
export interface Difference {
  readonly subject: string;
  readonly kept: string;
  readonly summed: string | null;
}

type Counts = Readonly<Record<"accounts" | "keys" | "entries" | "receipts" | "open_holds", number>>;

/** What each engine does in its own way. The statements of `query` are of one transaction. */
interface BooksReader {
  readonly query: Query;
  /** Receipts whose lines do not add up to their cost, or are none. */
  readonly wrongLines: () => Promise<readonly Difference[]> | readonly Difference[];
  /** Whether a statement has failed over the rows that it found: a number too large, a text that is no number. */
  readonly isOfRows: (thrown: unknown) => boolean;
}

/** A sum that the rows keep from being made is a problem like any other: nothing that stands in a row ends it all. */
export async function verifyBooks(reader: BooksReader): Promise<Verification> {
  const { query, wrongLines, isOfRows } = reader;
  const problems: string[] = [];
  const look = async (claim: string, find: () => Promise<readonly Difference[]>): Promise<void> => {
    // Where a statement fails, PostgreSQL takes no other of its transaction.
    await query("savepoint look", []);
    try {
      const found = (await find()).map(
        ({ subject, kept, summed }) =>
          `${subject}: ${claim} does not hold: ${kept} against ${summed ?? "nothing"}`,
      );
      for (const problem of found.sort()) problems.push(problem);
    } catch (thrown) {
      if (!isOfRows(thrown)) throw thrown;
      await query("rollback to savepoint look", []);
      const reason = thrown instanceof Error ? thrown.message : String(thrown);
      problems.push(`all: ${claim} cannot be looked at: ${reason}`);
    }
    await query("release savepoint look", []);
  };
  for (const { claim, sql } of [...WILD_ROWS, ...CHECKS]) {
    await look(claim, async () => (await query(sql, [])) as readonly Difference[]);
  }
  await look("cost = its lines, rounded up", async () => wrongLines());
  const [counts] = (await query(COUNTS_SQL, [])) as readonly [Counts];
  return {
    accounts: Number(counts.accounts),
    keys: Number(counts.keys),
    entries: Number(counts.entries),
    receipts: Number(counts.receipts),
    openHolds: Number(counts.open_holds),
    problems,
  };
}
