import type { AccountCall, Guards } from "../../accounts/guards.ts";
import { formatUsd } from "../../catalogue/money.ts";
import type { Route } from "../../lib/route.ts";
import { answer, choiceParameter, textParameter, wrongParameter } from "../query.ts";
import type { ConsoleServices } from "../services.ts";
import { type CalendarDay, calendarOf, dayAfter, isDay } from "./calendar.ts";
import { csvResponse, csvRow } from "./csv.ts";
import {
  GROUPINGS,
  type Grouping,
  lineToWire,
  sumsToWire,
  sumUp,
  type UsageLine,
  type UsageQuestion,
  usageLines,
} from "./usage.ts";

const DAYS_DEFAULT = 30;
const DAYS_MAX = 366;
/** A page shows the dearest; the file has them all, and so has the total. */
const ROWS_MAX = 1_000;

function dayParameter(parameters: URLSearchParams, name: string): string | undefined {
  const text = textParameter(parameters, name);
  if (text === undefined || isDay(text)) return text;
  throw wrongParameter(name, `'${name}' must be a date such as 2026-01-31.`);
}

/** The days from `from` to `to`, both included; the last thirty when nothing is said. */
function daysParameter(parameters: URLSearchParams, nowMs: number): CalendarDay[] {
  const calendar = calendarOf(parameters);
  const to = dayParameter(parameters, "to") ?? calendar.dayOf(nowMs);
  const from = dayParameter(parameters, "from") ?? dayAfter(to, 1 - DAYS_DEFAULT);
  if (from > to) throw wrongParameter("from", "'from' must not be after 'to'.");
  if (dayAfter(from, DAYS_MAX) <= to) {
    throw wrongParameter("from", `At most ${DAYS_MAX} days can be shown at once.`);
  }
  return calendar.days(from, to);
}

function questionOf({ clock }: ConsoleServices, call: AccountCall): UsageQuestion {
  const { searchParams } = call.incoming.url;
  return {
    accountId: call.accountId,
    by: choiceParameter(searchParams, "by", GROUPINGS) ?? "day",
    days: daysParameter(searchParams, clock()),
    keyId: textParameter(searchParams, "key"),
    model: textParameter(searchParams, "model"),
  };
}

async function showUsage(services: ConsoleServices, call: AccountCall): Promise<Response> {
  const question = questionOf(services, call);
  const lines = await usageLines(services.store, question);
  return answer({
    by: question.by,
    from: question.days[0]?.day,
    to: question.days.at(-1)?.day,
    time_zone: calendarOf(call.incoming.url.searchParams).timeZone,
    rows: lines.slice(0, ROWS_MAX).map(lineToWire),
    rows_left_out: Math.max(0, lines.length - ROWS_MAX),
    total: sumsToWire(sumUp(lines)),
  });
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

async function saveUsage(services: ConsoleServices, call: AccountCall): Promise<Response> {
  const question = questionOf(services, call);
  const lines = await usageLines(services.store, question);
  const { by, days } = question;
  const fileName = `usage-by-${by}-${days[0]?.day}-${days.at(-1)?.day}.csv`;
  return csvResponse(fileName, usageRows(by, lines));
}

export function usageRoutes(services: ConsoleServices, guards: Guards): readonly Route[] {
  return [
    guards.account("GET", "/usage", "viewer", (call) => showUsage(services, call)),
    guards.account("GET", "/usage.csv", "viewer", (call) => saveUsage(services, call)),
  ];
}
