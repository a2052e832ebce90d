import type { AccountCallOf, Guards } from "../../accounts/guards.ts";
import { formatUsd } from "../../catalogue/money.ts";
import type { Route } from "../../lib/route.ts";
import { type Grouping, SAVE_USAGE, SHOW_USAGE } from "../contract/usage.ts";
import { wrongParameter } from "../query.ts";
import type { ConsoleServices } from "../services.ts";
import { Calendar, dayAfter } from "./calendar.ts";
import { csvResponse, csvRow } from "./csv.ts";
import { lineToJson, sumsToJson, sumUp, type UsageLine, usageLines } from "./usage.ts";

const DAYS_DEFAULT = 30;
const DAYS_MAX = 366;
/** A page shows the dearest; the file has them all, and so has the total. */
const ROWS_MAX = 1_000;

type UsageCall = AccountCallOf<typeof SHOW_USAGE>;

/** The days from `from` to `to`, both included; the last thirty when nothing is said. */
function questionOf({ clock }: ConsoleServices, { accountId, query }: UsageCall) {
  const { by, tz, key: keyId, model, ...asked } = query();
  const calendar = new Calendar(tz);
  const { to = calendar.dayOf(clock()) } = asked;
  const { from = dayAfter(to, 1 - DAYS_DEFAULT) } = asked;
  if (from > to) throw wrongParameter("from", "'from' must not be after 'to'.");
  if (dayAfter(from, DAYS_MAX) <= to) {
    throw wrongParameter("from", `At most ${DAYS_MAX} days can be shown at once.`);
  }
  return { accountId, by, from, to, tz, days: calendar.days(from, to), keyId, model };
}

async function showUsage(services: ConsoleServices, call: UsageCall) {
  const question = questionOf(services, call);
  const { by, from, to, tz: time_zone } = question;
  const lines = await usageLines(services.store, question);
  return {
    ...{ by, from, to, time_zone },
    rows: lines.slice(0, ROWS_MAX).map(lineToJson),
    rows_left_out: Math.max(0, lines.length - ROWS_MAX),
    total: sumsToJson(sumUp(lines)),
  };
}

const SUBJECTS: Readonly<
  Record<Grouping, { titles: readonly string[]; cells(line: UsageLine): readonly string[] }>
> = {
  day: { titles: ["day"], cells: ({ day = "" }) => [day] },
  model: { titles: ["model"], cells: ({ model = "" }) => [model] },
  key: {
    titles: ["key_id", "key_name"],
    cells: ({ keyId = "", keyName = "" }) => [keyId, keyName],
  },
};

const SUM_TITLES = [
  "requests",
  "failures",
  "input_tokens",
  "cached_tokens",
  "output_tokens",
  "cost_usd",
];

function* usageRows(by: Grouping, lines: readonly UsageLine[]): Generator<string> {
  const { titles, cells } = SUBJECTS[by];
  yield csvRow([...titles, ...SUM_TITLES]);
  for (const line of lines) {
    const { requests, failures, inputTokens, cachedTokens, outputTokens, cost } = line;
    const sums = [requests, failures, inputTokens, cachedTokens, outputTokens, formatUsd(cost)];
    yield csvRow([...cells(line), ...sums]);
  }
}

async function saveUsage(services: ConsoleServices, call: UsageCall): Promise<Response> {
  const question = questionOf(services, call);
  const lines = await usageLines(services.store, question);
  const { by, from, to } = question;
  return csvResponse(`usage-by-${by}-${from}-${to}.csv`, usageRows(by, lines));
}

export function usageRoutes(services: ConsoleServices, guards: Guards): readonly Route[] {
  return [
    guards.account(SHOW_USAGE, "viewer", (call) => showUsage(services, call)),
    guards.account(SAVE_USAGE, "viewer", (call) => saveUsage(services, call)),
  ];
}
