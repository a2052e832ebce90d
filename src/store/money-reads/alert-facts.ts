import type { AlertFacts, BudgetFacts } from "../../notices/facts.ts";
import type { Integer } from "../keys/key-rows.ts";
import { type UsedIn, usedSinceTurned } from "../money/budget-reads.ts";
import { type BudgetCells, readBudget, standing, USED_IN_SQL } from "../money/budget-rows.ts";
import { DAY_MS } from "../reads/channel-days.ts";
import { HOUR_MS } from "../reads/rollups.ts";
import { type MoneyReader, readRows, statement } from "./reader.ts";

const USUAL_HOURS = 7 * 24;

/** A key is touched whenever it is used, so the keys tell who was active without a look at receipts. */
const ACTIVE_SQL = "(select account_id from keys where last_used_at >= $1)";

/** What is not the end of a request is found by an index; the kinds are named as they are there. */
const BALANCES_SQL = `
  select s.id, cast(s.max as text) as credited, cast(s.used as text) as charged,
    (select cast(e.amount as text) from entries e
      where e.account_id = s.id and e.kind <> 'post' and e.kind <> 'void'
        and (e.kind = 'trial' or e.kind = 'topup')
      order by e.created_at desc, e.seq desc limit 1) as last_credit
  from scopes s where s.kind = 'balance' and s.id in ${ACTIVE_SQL}
  order by s.id`;

const HOURS_SQL = `
  select account_id, model, cast(sum(cost) as text) as cost from rollups
  where account_id in ${ACTIVE_SQL} and hour = $2
  group by account_id, model`;

const BUDGETS_SQL = `
  select k.account_id, k.id as key_id, k.name as key_name, cast(s.used as text) as key_used,
    b.id, b.period, b.time_zone, cast(b.max as text) as max, cast(b.base as text) as base,
    b.window_start, b.resets_at, k.last_used_at
  from keys k join scopes s on s.id = k.id join budgets b on b.key_id = k.id
  where k.last_used_at >= $1 and k.deleted_at is null
  order by k.id, b.id`;

const USUAL_SQL = `
  select cast(coalesce(sum(spent), 0) as text) as total, count(*) as hours from (
    select hour, sum(cost) as spent from rollups
    where account_id = $1 and hour >= $2 and hour < $3
    group by hour having sum(cost) > 0
  ) spending`;

/** Channels have their names elsewhere, and so are called by their ids. */
const INPUT_LOSSES_SQL = [
  `select 'channel' as subject, channel as id, channel as name, cast(sum(loss) as text) as loss
   from input_losses where day = $1
   group by channel having sum(loss) > cast($2 as bigint) order by channel`,
  `select 'account' as subject, l.account_id as id, a.name, cast(sum(l.loss) as text) as loss
   from input_losses l join accounts a on a.id = l.account_id where l.day = $1
   group by l.account_id, a.name having sum(l.loss) > cast($2 as bigint) order by l.account_id`,
] as const;

interface InputLossFactRow {
  readonly subject: "channel" | "account";
  readonly id: string;
  readonly name: string;
  readonly loss: string;
}

interface BalanceRow {
  readonly id: string;
  readonly credited: string;
  readonly charged: string;
  readonly last_credit: string | null;
}

interface HourRow {
  readonly account_id: string;
  readonly model: string;
  readonly cost: string;
}

interface BudgetFactRow extends BudgetCells {
  readonly account_id: string;
  readonly key_id: string;
  readonly key_name: string;
  readonly key_used: string;
  readonly last_used_at: Integer;
}

interface UsualRow {
  readonly total: string;
  readonly hours: Integer;
}

function readBudgetFacts(row: BudgetFactRow, nowMs: number, usedIn: UsedIn): BudgetFacts {
  const key = { used: BigInt(row.key_used), held: 0n };
  const { id, amount, period, used, resetsAtMs } = standing(readBudget(row), key, nowMs, () =>
    usedIn(row.id),
  );
  return { id, keyId: row.key_id, keyName: row.key_name, period, max: amount, used, resetsAtMs };
}

/** What the rules of notices look at, from the tables of money. It only reads. */
export function alertFacts(reader: MoneyReader): AlertFacts {
  return {
    async active(sinceMs, nowMs) {
      const hour = Math.floor(nowMs / HOUR_MS);
      const [balanceRows = [], hourRows = [], budgetRows = []] = await reader.read([
        statement(BALANCES_SQL, sinceMs),
        statement(HOURS_SQL, sinceMs, hour),
        statement(BUDGETS_SQL, sinceMs),
      ]);
      const usedIn = await usedSinceTurned(
        (budgetRows as readonly BudgetFactRow[]).map((row) => ({
          keyId: row.key_id,
          row: readBudget(row),
          lastUsedAtMs: Number(row.last_used_at),
        })),
        nowMs,
        async (keyId, { startMs, endMs }) => {
          const asked = statement(USED_IN_SQL, keyId, startMs, endMs);
          const [used] = await readRows<{ used: string }>(reader, asked);
          return BigInt(used?.used ?? 0);
        },
      );
      const hours = Map.groupBy(hourRows as readonly HourRow[], ({ account_id }) => account_id);
      const budgets = Map.groupBy(
        budgetRows as readonly BudgetFactRow[],
        ({ account_id }) => account_id,
      );
      return (balanceRows as readonly BalanceRow[]).map(
        ({ id, credited, charged, last_credit }) => {
          const ofHour = hours.get(id) ?? [];
          return {
            accountId: id,
            credited: BigInt(credited),
            charged: BigInt(charged),
            lastCredit: BigInt(last_credit ?? 0),
            spentThisHour: ofHour.reduce((sum, { cost }) => sum + BigInt(cost), 0n),
            models: ofHour.map(({ model }) => model),
            budgets: (budgets.get(id) ?? []).map((row) => readBudgetFacts(row, nowMs, usedIn)),
          };
        },
      );
    },

    async inputLosses(nowMs, beyond) {
      const day = Math.floor(nowMs / DAY_MS);
      const [date = ""] = new Date(nowMs).toISOString().split("T");
      const asked = INPUT_LOSSES_SQL.map((text) => statement(text, day, String(beyond)));
      const found = (await reader.read(asked)) as readonly (readonly InputLossFactRow[])[];
      return found.flatMap((rows) =>
        rows.map(({ subject, id, name, loss }) => {
          return { of: subject, id, name, day: date, amount: BigInt(loss) };
        }),
      );
    },

    async usualHours(accountId, nowMs) {
      const hour = Math.floor(nowMs / HOUR_MS);
      const asked = statement(USUAL_SQL, accountId, hour - USUAL_HOURS, hour);
      const [row] = await readRows<UsualRow>(reader, asked);
      return { total: BigInt(row?.total ?? 0), hours: Number(row?.hours ?? 0) };
    },
  };
}
