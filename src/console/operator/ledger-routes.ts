import type { Guards } from "../../accounts/guards.ts";
import { formatUsd } from "../../catalogue/money.ts";
import { Fault } from "../../lib/faults.ts";
import { listBody, readPage } from "../../lib/listing.ts";
import type { Route } from "../../lib/route.ts";
import { accountToJson } from "./account-routes.ts";
import { type FindShipped, marginLines, marginToWire } from "./margin.ts";
import type { OperatorServices } from "./services.ts";
import type { ChannelSum, DayRange, HoldRow, OverageRow } from "./store.ts";

const DAY_MS = 86_400_000;
/** Overages among which the largest are looked for: the newest of the time that was asked for. */
const OVERAGES_MAX = 20_000;
const ROWS_SHOWN = 50;

function holdToWire(hold: HoldRow) {
  return {
    object: "hold",
    id: hold.id,
    account_id: hold.accountId,
    key_id: hold.keyId,
    amount: formatUsd(hold.amount),
    model: hold.model,
    channel: hold.channel,
    endpoint: hold.endpoint,
    stream: hold.stream,
    created_at: new Date(hold.createdAtMs).toISOString(),
  };
}

function overageToWire(row: OverageRow) {
  return {
    request_id: row.id,
    account_id: row.accountId,
    key_id: row.keyId,
    model: row.model,
    held: formatUsd(row.held),
    charged: formatUsd(row.charged),
    overage: formatUsd(row.charged - row.held),
    created_at: new Date(row.createdAtMs).toISOString(),
  };
}

/** The days that were added up, and how many receipts these are the sums of. */
function reachedToWire({ fromDay, toDay }: DayRange, sums: readonly ChannelSum[]) {
  const from = new Date(fromDay * DAY_MS).toISOString();
  return {
    from,
    to: new Date(toDay * DAY_MS).toISOString(),
    receipts: sums.reduce((count, { requests }) => count + requests, 0),
    since: from,
    whole: true,
  };
}

/** What of it is only said of the newest part. */
function partToWire(sinceMs: number | undefined) {
  if (sinceMs === undefined) return {};
  return { receipts: OVERAGES_MAX, since: new Date(sinceMs).toISOString(), whole: false };
}

/**
 * `?from=&to=` as days or moments; the last day where nothing is said. Sums are kept by the
 * UTC day, so days that are partly asked for are told in full.
 */
function rangeOf(url: URL, nowMs: number): DayRange {
  const moment = (name: string, fallback: number) => {
    const text = url.searchParams.get(name);
    if (text === null || text === "") return fallback;
    const atMs = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
    if (!Number.isNaN(atMs)) return atMs;
    throw new Fault("invalid_value", `${name} must be a date such as 2027-01-31.`, { param: name });
  };
  const toMs = moment("to", nowMs + 1);
  const fromMs = moment("from", toMs - DAY_MS);
  if (fromMs < toMs) {
    return { fromDay: Math.floor(fromMs / DAY_MS), toDay: Math.ceil(toMs / DAY_MS) };
  }
  throw new Fault("invalid_value", "from must be before to.", { param: "from" });
}

export function ledgerRoutes(
  services: OperatorServices,
  guards: Guards,
  findShipped: FindShipped,
): readonly Route[] {
  const { books, clock } = services;
  const base = "/api/operator/ledger";
  return [
    guards.operator("GET", `${base}/verify`, async ({ incoming }) => {
      incoming.keepOpen();
      const startedMs = clock();
      const { problems, openHolds, ...counts } = await services.verify();
      return Response.json({
        object: "verification",
        ok: problems.length === 0,
        ...counts,
        open_holds: openHolds,
        problems: problems.slice(0, ROWS_SHOWN),
        problems_total: problems.length,
        at: new Date(startedMs).toISOString(),
        duration_ms: clock() - startedMs,
      });
    }),
    guards.operator("GET", `${base}/holds`, async ({ incoming }) => {
      const page = readPage(incoming.url);
      const rows = await books.holds(page);
      return Response.json(listBody(rows, page.limit, ({ id }) => id, holdToWire));
    }),
    guards.operator("GET", `${base}/overage`, async ({ incoming }) => {
      const range = rangeOf(incoming.url, clock());
      const sums = await books.channelSums(range);
      const total = sums.reduce((sum, { overage }) => sum + overage, 0n);
      const most = { looked: OVERAGES_MAX, shown: ROWS_SHOWN };
      const overages = await books.overages(range, most);
      return Response.json({
        object: "overage",
        ...reachedToWire(range, sums),
        ...partToWire(overages.sinceMs),
        total: formatUsd(total),
        requests: overages.rows.map(overageToWire),
        accounts_below_zero: (await books.overdrawn(ROWS_SHOWN)).map(accountToJson),
      });
    }),
    guards.operator("GET", `${base}/margin`, async ({ incoming }) => {
      const range = rangeOf(incoming.url, clock());
      const sums = await books.channelSums(range);
      const lines = marginLines(sums, findShipped, clock());
      return Response.json({
        object: "list",
        ...reachedToWire(range, sums),
        data: lines.map(marginToWire),
        next: null,
      });
    }),
  ];
}
