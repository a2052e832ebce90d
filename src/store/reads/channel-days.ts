import { AT, type Cell, type ReceiptRow } from "../rows.ts";
import { NamedSums, negated } from "./usage-sums.ts";

export const DAY_MS = 86_400_000;

/** What a day of a channel adds up, for one model at one price. */
const CHANNEL_SUMS = [
  "requests",
  "failures",
  "fresh",
  "cache_read",
  "cache_write",
  "cache_write_long",
  "output",
  "web_searches",
  "cost",
  "loss",
  "overage",
] as const;

const CHANNEL_KEY = ["day", "channel", "model", "price_version"] as const;

/** The columns of such a day in the order both databases write them. */
export const CHANNEL_DAY_COLUMNS: readonly string[] = [...CHANNEL_KEY, ...CHANNEL_SUMS];

export function listedChannelSums(each: (column: string) => string): string {
  return CHANNEL_SUMS.map(each).join(", ");
}

/** A receipt's own part of the UTC day it is of, as SQL, in the order of the columns. */
export const CHANNEL_CELLS_SQL = `created_at / ${DAY_MS}, channel, coalesce(served_model, model),
  coalesce(price_version, ''), 1, case when status >= 400 then 1 else 0 end, fresh, cache_read,
  cache_write, cache_write_long, output, web_searches, cost, loss,
  case when cost > held then cost - held else 0 end`;

/** What the receipts until now add up to: the rows that a database of before is given. */
export const CHANNEL_DAYS_OF_RECEIPTS_SQL = `
  with parts (${CHANNEL_DAY_COLUMNS.join(", ")}) as (
    select ${CHANNEL_CELLS_SQL} from receipts where channel is not null)
  select ${CHANNEL_KEY.join(", ")}, ${listedChannelSums((name) => `sum(${name})`)} from parts
  group by ${CHANNEL_KEY.join(", ")}`;

function nameOf(row: ReceiptRow, channel: string): Cell[] {
  const day = Math.floor(row[AT.createdAt] / DAY_MS);
  return [day, channel, row[AT.servedModel] ?? row[AT.model], row[AT.priceVersion] ?? ""];
}

function partOf(row: ReceiptRow): (number | bigint)[] {
  const cost = row[AT.cost];
  const held = row[AT.held];
  return [
    1,
    row[AT.status] >= 400 ? 1 : 0,
    row[AT.fresh],
    row[AT.cacheRead],
    row[AT.cacheWrite],
    row[AT.cacheWriteLong],
    row[AT.output],
    row[AT.webSearches],
    cost,
    row[AT.loss],
    cost > held ? cost - held : 0n,
  ];
}

/**
 * Adds the receipts of a batch up by channel and day. Days, because whoever runs the installation looks
 * back for a month at all of it: by the hour, that would be tens of thousands of rows.
 */
export class ChannelDays extends NamedSums {
  add(row: ReceiptRow): void {
    const channel = row[AT.channel];
    // Nobody was paid for what reached no channel.
    if (channel !== null) this.addTo(nameOf(row, channel), partOf(row));
  }

  /** Of a receipt that another takes the place of. */
  takeBack(row: ReceiptRow): void {
    const channel = row[AT.channel];
    if (channel !== null) this.addTo(nameOf(row, channel), negated(partOf(row)));
  }
}
