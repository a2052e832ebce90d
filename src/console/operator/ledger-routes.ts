import type { Doors } from "../../accounts/doors.ts";
import { formatUsd } from "../../catalogue/money.ts";
import { Fault } from "../../lib/faults.ts";
import { listBody, readPage } from "../../lib/listing.ts";
import type { Route } from "../../lib/route.ts";
import { accountToWire } from "./account-routes.ts";
import { type FindShipped, marginLines, marginToWire } from "./margin.ts";
import type { OperatorServices } from "./services.ts";
import type { HoldRow, OverageRow, Reached, Stretch } from "./store.ts";

const DAY_MS = 86_400_000;
/** Receipts that one look reads at most, by index: the newest of the time that was asked for. */
const RECEIPTS_MAX = 20_000;
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

function reachedToWire({ fromMs, toMs }: Stretch, reached: Reached) {
  return {
    from: new Date(fromMs).toISOString(),
    to: new Date(toMs).toISOString(),
    /** What was looked at: the newest receipts of that time, and whether these are all of them. */
    receipts: reached.receipts,
    since: new Date(reached.sinceMs).toISOString(),
    whole: reached.whole,
  };
}

/** `?from=&to=` as days or moments; the last day where nothing is said. */
function stretchOf(url: URL, nowMs: number): Stretch {
  const moment = (name: string, fallback: number) => {
    const text = url.searchParams.get(name);
    if (text === null || text === "") return fallback;
    const atMs = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
    if (!Number.isNaN(atMs)) return atMs;
    throw new Fault("invalid_value", `${name} must be a date such as 2027-01-31.`, { param: name });
  };
  const toMs = moment("to", nowMs + 1);
  const fromMs = moment("from", toMs - DAY_MS);
  if (fromMs < toMs) return { fromMs, toMs, receiptsMax: RECEIPTS_MAX };
  throw new Fault("invalid_value", "from must be before to.", { param: "from" });
}

export function ledgerRoutes(
  services: OperatorServices,
  doors: Doors,
  findShipped: FindShipped,
): readonly Route[] {
  const { books, clock } = services;
  const base = "/api/operator/ledger";
  return [
    doors.operator("GET", `${base}/verify`, async ({ incoming }) => {
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
    doors.operator("GET", `${base}/holds`, async ({ incoming }) => {
      const page = readPage(incoming.url);
      const rows = await books.holds(page);
      return Response.json(listBody(rows, page.limit, ({ id }) => id, holdToWire));
    }),
    doors.operator("GET", `${base}/overage`, async ({ incoming }) => {
      const stretch = stretchOf(incoming.url, clock());
      const sums = await books.channelSums(stretch);
      const total = sums.reduce((sum, { overage }) => sum + overage, 0n);
      return Response.json({
        object: "overage",
        ...reachedToWire(stretch, await books.reached(stretch)),
        total: formatUsd(total),
        requests: (await books.overages(stretch, ROWS_SHOWN)).map(overageToWire),
        accounts_below_zero: (await books.overdrawn(ROWS_SHOWN)).map(accountToWire),
      });
    }),
    doors.operator("GET", `${base}/margin`, async ({ incoming }) => {
      const stretch = stretchOf(incoming.url, clock());
      const lines = marginLines(await books.channelSums(stretch), findShipped, clock());
      return Response.json({
        object: "list",
        ...reachedToWire(stretch, await books.reached(stretch)),
        data: lines.map(marginToWire),
        next: null,
      });
    }),
  ];
}
