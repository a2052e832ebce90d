import { HOLD_COLUMNS } from "../../money/money-rows.ts";
import { CHANNEL_DAY_COLUMNS, listedChannelSums } from "../../reads/channel-days.ts";
import { INPUT_LOSS_COLUMNS } from "../../reads/input-losses.ts";
import { ROLLUP_COLUMNS } from "../../reads/rollups.ts";
import { listed } from "../../reads/usage-sums.ts";
import { RECEIPT_COLUMNS } from "../../rows.ts";
import { NOW_MS_SQL, type Statement } from "../connections.ts";
import { table, texts } from "./json-tables.ts";
import { PROOF_PARAMS, type Proof, provingSql } from "./proof.ts";

/** What a part of a batch does with the parameter that lists its rows. */
type PartText = (param: number) => string;

function insert(into: string, columns: readonly string[], param: number): string {
  const names = columns.join(", ");
  return `insert into ${into} (${names}) select ${names} from ${table(param, columns)}`;
}

/** The table that a part writes to. */
function tableOf(text: string): string {
  const [, table] = /^(?:insert into|delete from|update) (\w+)/.exec(text) ?? [];
  if (table === undefined) throw new Error(`no table in: ${text}`);
  return table;
}

const ENTRY_COLUMNS = ["account_id", "key_id", "kind", "amount", "hold_id", "created_at"];
const RATE_COLUMNS = ["key_id", "second", "requests", "tokens"];
const TURN_COLUMNS = ["key_id", "id", "base", "window_start", "resets_at"];
const OWN_DAY_COLUMNS = ["owner", ...CHANNEL_DAY_COLUMNS];
const REPLACED_CELLS = RECEIPT_COLUMNS.filter((name) => name !== "id")
  .map((name) => `${name} = v.${name}`)
  .join(", ");
const ADD_SUMS = listed((name) => `${name} = rollups.${name} + excluded.${name}`);

/** What a batch may write, each part a list of rows, in the order in which it does. */
const WRITES = {
  taken: (ids) => `delete from holds where id = ${texts(ids)}`,
  raised: (rows) => `update holds h set amount = h.amount + v.more
    from ${table(rows, ["id", "more"])} where h.id = v.id`,
  opened: (rows) => insert("holds", HOLD_COLUMNS, rows),
  entered: (rows) => insert("entries", ENTRY_COLUMNS, rows),
  received: (rows) => insert("receipts", RECEIPT_COLUMNS, rows),
  /** Receipts of requests that were taken for dead and have ended otherwise. */
  replaced: (rows) => `update receipts r set ${REPLACED_CELLS}
    from ${table(rows, RECEIPT_COLUMNS)}
    where r.id = v.id and r.billing_reason = 'interrupted'`,
  moved: (rows) => `update scopes s
    set used = s.used + v.used, held = s.held + v.held, running = s.running + v.running
    from ${table(rows, ["id", "used", "held", "running"])} where s.id = v.id`,
  timed: (rows) => `${insert("rate_seconds", RATE_COLUMNS, rows)}
    on conflict (key_id, second) do update set
      requests = excluded.requests, tokens = excluded.tokens`,
  summed: (rows) => `${insert("rollups", ROLLUP_COLUMNS, rows)}
    on conflict (account_id, key_id, model, hour) do update set ${ADD_SUMS}`,
  touched: (rows) => `update keys k set last_used_at = greatest(k.last_used_at, v.last_used_at)
    from ${table(rows, ["id", "last_used_at"])} where k.id = v.id`,
  /** Budgets whose period has turned. */
  turned: (rows) => `update budgets b
    set base = v.base, window_start = v.window_start, resets_at = v.resets_at
    from ${table(rows, TURN_COLUMNS)} where b.key_id = v.key_id and b.id = v.id`,
  /** Days of channels, which lie apart by process, so that none waits for another. */
  routed: (rows) => `${insert("channel_days", OWN_DAY_COLUMNS, rows)}
    on conflict (day, channel, model, price_version, owner) do update set
      ${listedChannelSums((name) => `${name} = channel_days.${name} + excluded.${name}`)}`,
  /** What vendors counted beyond our bounds. Batches of one account never run at once. */
  lost: (rows) => `${insert("input_losses", INPUT_LOSS_COLUMNS, rows)}
    on conflict (day, account_id, channel) do update set
      requests = input_losses.requests + excluded.requests,
      loss = input_losses.loss + excluded.loss`,
  /** Refusals that share a receipt. */
  shared: (rows) => `${insert("receipts", RECEIPT_COLUMNS, rows)}
    on conflict (id) do update set requests = receipts.requests + excluded.requests,
      last_at = greatest(receipts.last_at, excluded.last_at)`,
  /** Which of all these receipts are astray, be it that it was noted before. */
  strayed: (rows) => `${insert("astray_receipts", ["account_id", "id"], rows)}
    on conflict do nothing`,
} as const satisfies Record<string, PartText>;

/** All tables to which a batch writes: a lock on one of them keeps money from being settled. */
export const WRITTEN_TABLES: readonly string[] = [
  ...new Set(Object.values(WRITES).map((write) => tableOf(write(1)))),
];

export type Write = keyof typeof WRITES;
const PARTS = Object.keys(WRITES) as Write[];

/** Parts of which every row must be there already, so that it can be counted. */
const FOUND: readonly Write[] = ["taken", "raised", "replaced", "moved", "turned"];

export function isFound(part: Write): boolean {
  return FOUND.includes(part);
}

/** How many rows of which parts must have been there. */
const EXPECTED = "expected";
const PARAMS: readonly string[] = [...PROOF_PARAMS, ...PARTS, EXPECTED];

function placeOf(name: string): number {
  return PARAMS.indexOf(name) + 1;
}

function param(name: string): string {
  return `$${placeOf(name)}`;
}

function writing(part: Write): string {
  const write = `${WRITES[part](placeOf(part))};`;
  const count = [
    "get diagnostics counted = row_count;",
    `met := concat_ws(', ', met, '${part} ' || counted);`,
  ];
  return [
    `if ${param(part)} is not null then`,
    ...[write, ...(isFound(part) ? count : [])].map((line) => `  ${line}`),
    "end if;",
  ].join("\n    ");
}

/**
 * All that a batch does, as a function of the database with a parameter for each part: one journey, and each part is planned
 * once and costs nothing where it has no rows. Each of its statements sees what was committed until it begins, so the
 * proof sees what those have written who had the locks before. It fails unless it finds as many rows as it was told: the
 * locks make that impossible, and were it possible, money would be written twice or not at all. Of a batch that was foreseen
 * it also fails unless all is as it was foreseen. It gives the time.
 *
 * Programs of the version before and of this one write to the same database, so a released text is never edited. To
 * write something else, keep this text in a file of its own, as `write-batch-1.ts` does, and make a function of another name.
 */
export const WRITE_BATCH_2 = `
  create function write_batch_2(${PARAMS.map(() => "text").join(", ")}) returns bigint
  language plpgsql as $body$
  declare
    counted bigint;
    met text;
  begin
    if current_setting('transaction_isolation') <> 'read committed' then
      raise exception 'a batch is to be read committed, and this one is %',
        current_setting('transaction_isolation');
    end if;
    if ${param("at_ms")} is not null then
      ${provingSql(param)}
    end if;
    ${PARTS.map(writing).join("\n    ")}
    if coalesce(met, '') <> ${param(EXPECTED)} then
      raise exception 'a batch has found % rows instead of %', met, ${param(EXPECTED)};
    end if;
    return ${NOW_MS_SQL};
  end $body$;
`;

const CALL_SQL = `select write_batch_2(${PARAMS.map((_, i) => `$${i + 1}`).join(", ")}) as now_ms`;

/** `expected`: how many rows there must be of which parts. `proof`: of a batch that was foreseen. */
export function writeBatch(
  rows: Readonly<Partial<Record<Write, string>>>,
  expected: string,
  proof?: Proof,
): Statement {
  const told: Readonly<Record<string, string>> = { ...proof, ...rows, [EXPECTED]: expected };
  return { text: CALL_SQL, params: PARAMS.map((name) => told[name] ?? null) };
}
