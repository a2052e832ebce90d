import type { Guards } from "../../accounts/guards.ts";
import { shown } from "../../accounts/shown.ts";
import { formatUsd } from "../../catalogue/money.ts";
import { steadyClock } from "../../lib/clock.ts";
import { Fault } from "../../lib/faults.ts";
import { listBody } from "../../lib/listing.ts";
import type { Route } from "../../lib/route.ts";
import { accountToJson, countedKeys } from "./account-routes.ts";
import {
  type Hold,
  type InputLosses,
  LIST_HOLDS,
  type Margin,
  type Overage,
  type OverageRequest,
  type ReadRange,
  SHOW_INPUT_LOSSES,
  SHOW_MARGIN,
  SHOW_OVERAGE,
  VERIFY_LEDGER,
  type Verification,
} from "./contract/ledger.ts";
import { type FindShipped, marginLines, marginToJson, unroutedLine } from "./margin.ts";
import type { OperatorServices } from "./services.ts";
import type {
  ChannelSum,
  DayRange,
  HoldRow,
  InputLossRow,
  OperatorBooks,
  OverageRow,
} from "./store.ts";

const DAY_MS = 86_400_000;
/** Overages among which the largest are looked for: the newest of the time that was asked for. */
const OVERAGES_MAX = 20_000;
const ROWS_SHOWN = 50;
/** Some days of the accounts and channels that lost most. */
const LOSSES_SHOWN = 500;

/** The names of accounts by their ids; an account that is gone has its id. */
async function namesOf(
  books: Pick<OperatorBooks, "namesOf">,
  rows: readonly { readonly accountId: string }[],
) {
  const names = await books.namesOf([...new Set(rows.map(({ accountId }) => accountId))]);
  return (id: string) => names.get(id) ?? id;
}

function holdToJson(hold: HoldRow, nameOf: (id: string) => string): Hold {
  return {
    object: "hold",
    ...shown(hold, "id", "accountId", "keyId", "amount", "model"),
    account_name: nameOf(hold.accountId),
    ...shown(hold, "channel", "endpoint", "stream", "createdAtMs"),
  };
}

function overageToJson(row: OverageRow, nameOf: (id: string) => string): OverageRequest {
  return {
    request_id: row.id,
    account_name: nameOf(row.accountId),
    ...shown(row, "accountId", "keyId", "model", "held", "charged", "createdAtMs"),
    overage: formatUsd(row.charged - row.held),
  };
}

function inputLossToJson({ day, requests, loss }: InputLossRow) {
  const [date = ""] = new Date(day * DAY_MS).toISOString().split("T");
  return { day: date, requests, loss: formatUsd(loss) };
}

/** The days that were added up, and how many receipts these are the sums of. */
function reachedToJson({ fromDay, toDay }: DayRange, sums: readonly ChannelSum[]) {
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
function partToJson(sinceMs: number | undefined) {
  if (sinceMs === undefined) return {};
  return { receipts: OVERAGES_MAX, since: new Date(sinceMs).toISOString(), whole: false };
}

/** Sums are kept by the UTC day, so days that are partly asked for are told in full. */
function rangeOf({ to, from }: ReadRange, nowMs: number): DayRange {
  const toMs = to ?? nowMs + 1;
  const fromMs = from ?? toMs - DAY_MS;
  if (fromMs < toMs) {
    return { fromDay: Math.floor(fromMs / DAY_MS), toDay: Math.ceil(toMs / DAY_MS) };
  }
  throw new Fault("invalid_value", "from must be before to.", { param: "from" });
}

async function showInputLosses(
  books: Pick<OperatorBooks, "inputLosses" | "namesOf">,
  range: DayRange,
): Promise<InputLosses> {
  const { total, byChannel, byAccount } = await books.inputLosses(range, LOSSES_SHOWN);
  const nameOf = await namesOf(
    books,
    byAccount.map(({ of }) => ({ accountId: of })),
  );
  const { from, to } = reachedToJson(range, []);
  return {
    object: "input_losses",
    from,
    to,
    total: formatUsd(total),
    by_channel: byChannel.map((row) => ({ channel: row.of, ...inputLossToJson(row) })),
    by_account: byAccount.map((row) => ({
      account_id: row.of,
      account_name: nameOf(row.of),
      ...inputLossToJson(row),
    })),
  };
}

export function ledgerRoutes(
  services: OperatorServices,
  guards: Guards,
  findShipped: FindShipped,
): readonly Route[] {
  const { books, clock } = services;
  return [
    guards.operator(VERIFY_LEDGER, async ({ incoming }): Promise<Verification> => {
      incoming.keepOpen();
      const atMs = clock();
      const startedMs = steadyClock();
      const { problems, openHolds, ...counts } = await services.verify();
      return {
        object: "verification",
        ok: problems.length === 0,
        ...counts,
        open_holds: openHolds,
        problems: problems.slice(0, ROWS_SHOWN),
        problems_total: problems.length,
        at: new Date(atMs).toISOString(),
        duration_ms: steadyClock() - startedMs,
      };
    }),
    guards.operator(LIST_HOLDS, async (call) => {
      const { after, limit } = call.query();
      const rows = await books.holds({ after, limit });
      const nameOf = await namesOf(books, rows);
      const toJson = (hold: HoldRow) => holdToJson(hold, nameOf);
      return listBody(rows, limit, ({ id }) => id, toJson);
    }),
    guards.operator(SHOW_OVERAGE, async (call): Promise<Overage> => {
      const range = rangeOf(call.query(), clock());
      const sums = await books.channelSums(range);
      const total = sums.reduce((sum, { overage }) => sum + overage, 0n);
      const most = { looked: OVERAGES_MAX, shown: ROWS_SHOWN };
      const overages = await books.overages(range, most);
      const nameOf = await namesOf(books, overages.rows);
      return {
        object: "overage",
        ...reachedToJson(range, sums),
        ...partToJson(overages.sinceMs),
        total: formatUsd(total),
        requests: overages.rows.map((row) => overageToJson(row, nameOf)),
        accounts_below_zero: (await countedKeys(services, await books.overdrawn(ROWS_SHOWN))).map(
          accountToJson,
        ),
      };
    }),
    guards.operator(SHOW_INPUT_LOSSES, (call) =>
      showInputLosses(books, rangeOf(call.query(), clock())),
    ),
    guards.operator(SHOW_MARGIN, async (call): Promise<Margin> => {
      const range = rangeOf(call.query(), clock());
      const [all, sums] = await Promise.all([books.requestSums(range), books.channelSums(range)]);
      const lines = marginLines(sums, findShipped, range);
      return {
        object: "list",
        ...reachedToJson(range, sums),
        receipts: all.requests,
        data: [...lines, ...unroutedLine(all, lines)].map(marginToJson),
        next: null,
      };
    }),
  ];
}
