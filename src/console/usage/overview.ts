import { formatUsd, type NanoUsd } from "../../catalogue/money.ts";
import type { ConsoleStore, UsageSums } from "../store.ts";
import { type Calendar, type CalendarDay, dayAfter, rangeOf } from "./calendar.ts";
import { dailyUsage, sumUp } from "./usage.ts";

const SERIES_DAYS = 30;
/** How many days with spend the runway is estimated from. */
const RUNWAY_DAYS = 7;

type Daily = UsageSums & { readonly day: string };

/**
 * For how many days the balance lasts at the mean of the last days on which anything was spent. Today is
 * not over: what a part of a day cost says nothing of a whole one.
 */
export function runwayDays(balance: NanoUsd, days: readonly Daily[]): number | null {
  const whole = days.slice(0, -1).filter(({ cost }) => cost > 0n);
  const basis = whole.slice(-RUNWAY_DAYS);
  if (basis.length === 0) return null;
  if (balance <= 0n) return 0;
  const total = basis.reduce((sum, { cost }) => sum + cost, 0n);
  return Number((balance * 10n * BigInt(basis.length)) / total) / 10;
}

/** The days that an overview needs: a month back, and this month from its first day. */
function daysOf(calendar: Calendar, today: string): CalendarDay[] {
  const seriesFrom = dayAfter(today, 1 - SERIES_DAYS);
  const monthFrom = `${today.slice(0, 8)}01`;
  return calendar.days(seriesFrom < monthFrom ? seriesFrom : monthFrom, today);
}

/** What an account has, spends and does. Undefined when there is no such account. */
export async function overviewOf(
  store: ConsoleStore,
  accountId: string,
  calendar: Calendar,
  nowMs: number,
  /** Its keys that nobody made: those that the console calls with. */
  personalKeys: ReadonlySet<string> = new Set(),
) {
  const today = calendar.dayOf(nowMs);
  const days = daysOf(calendar, today);
  const standing = await store.standing(accountId, rangeOf(days), [...personalKeys]);
  if (!standing) return undefined;
  const { credited, charged, held, overdraft } = standing;
  const daily = dailyUsage(days, standing.hours);
  const series = daily.slice(-SERIES_DAYS);
  const balance = credited - charged;
  const now = daily.at(-1);
  const month = sumUp(daily.filter(({ day }) => day.startsWith(today.slice(0, 8))));
  return {
    balance: formatUsd(balance),
    overdraft: formatUsd(overdraft),
    held: formatUsd(held),
    credited: formatUsd(credited),
    charged: formatUsd(charged),
    runway_days: runwayDays(balance, series),
    spend_today: formatUsd(now?.cost ?? 0n),
    spend_month: formatUsd(month.cost),
    requests_today: now?.requests ?? 0,
    errors_today: now?.failures ?? 0,
    time_zone: calendar.timeZone,
    series: series.map(({ day, cost, requests, failures }) => ({
      day,
      cost: formatUsd(cost),
      requests,
      failures,
    })),
    /** Whether the account has made its first key. */
    first_key: standing.hasKey,
  };
}
