import { formatUsd } from "../../catalogue/money.ts";
import type { Grouping } from "../contract/usage.ts";
import type { ConsoleStore, HourUsage, UsageFilter, UsageSums } from "../store.ts";
import { byDay, type CalendarDay, rangeOf } from "./calendar.ts";

interface UsageQuestion {
  readonly accountId: string;
  readonly by: Grouping;
  readonly days: readonly CalendarDay[];
  readonly keyId: string | undefined;
  readonly model: string | undefined;
}

/** What a row is of, and what it adds up to. */
export interface UsageLine extends UsageSums {
  readonly day?: string;
  readonly model?: string;
  readonly keyId?: string;
  readonly keyName?: string;
}

const NOTHING: UsageSums = {
  requests: 0,
  failures: 0,
  inputTokens: 0,
  cachedTokens: 0,
  outputTokens: 0,
  cost: 0n,
};

export function sumUp(rows: readonly UsageSums[]): UsageSums {
  return rows.reduce<UsageSums>(
    (sum, row) => ({
      requests: sum.requests + row.requests,
      failures: sum.failures + row.failures,
      inputTokens: sum.inputTokens + row.inputTokens,
      cachedTokens: sum.cachedTokens + row.cachedTokens,
      outputTokens: sum.outputTokens + row.outputTokens,
      cost: sum.cost + row.cost,
    }),
    NOTHING,
  );
}

/** Every day of the calendar with what its hours add up to. */
export function dailyUsage(
  days: readonly CalendarDay[],
  hours: readonly HourUsage[],
): (UsageSums & { readonly day: string })[] {
  return byDay(days, hours).map(({ day, rows }) => ({ day, ...sumUp(rows) }));
}

/** The rows of a usage page. They come from the same hourly sums whatever they are grouped by. */
export async function usageLines(
  store: ConsoleStore,
  question: UsageQuestion,
): Promise<readonly UsageLine[]> {
  const { accountId, by, days, keyId, model } = question;
  const filter: UsageFilter = { accountId, keyId, model, ...rangeOf(days) };
  if (by === "day") return dailyUsage(days, await store.usageByHour(filter));
  return by === "model" ? store.usageByModel(filter) : store.usageByKey(filter);
}

export function sumsToJson(sums: UsageSums) {
  return {
    requests: sums.requests,
    failures: sums.failures,
    input_tokens: sums.inputTokens,
    cached_tokens: sums.cachedTokens,
    output_tokens: sums.outputTokens,
    cost: formatUsd(sums.cost),
  };
}

export function lineToJson(line: UsageLine) {
  return {
    ...(line.day === undefined ? {} : { day: line.day }),
    ...(line.model === undefined ? {} : { model: line.model }),
    ...(line.keyId === undefined ? {} : { key_id: line.keyId, key_name: line.keyName }),
    ...sumsToJson(line),
  };
}
