import { toUnits } from "./decimal.ts";

const UNIT = 10n ** 18n;
/** Below this a price in cents says nothing. */
const SMALL = UNIT;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** Intl takes a string of digits as it is, without a float between. */
type DigitText = `${number}`;

const USD = { style: "currency", currency: "USD", currencyDisplay: "narrowSymbol" } as const;

/** From one dollar on cents; below, as many digits as it takes to tell two small amounts apart. */
function digitsOf(decimal: string): Intl.NumberFormatOptions {
  const units = toUnits(decimal);
  const small = units !== 0n && units < SMALL && units > -SMALL;
  return { minimumFractionDigits: 2, maximumFractionDigits: small ? 6 : 2 };
}

/** An amount in USD. `exact` gives every digit. */
export function formatMoney(decimal: string, locale: string, exact = false): string {
  const digits = digitsOf(decimal);
  const options = { ...USD, ...digits, ...(exact && { maximumFractionDigits: 18 }) };
  return new Intl.NumberFormat(locale, options).format(decimal as DigitText);
}

/** What is left of something: never more than there is, so it is rounded down, below nothing too. */
export function formatLeft(decimal: string, locale: string): string {
  const options = { ...USD, ...digitsOf(decimal), roundingMode: "floor" } as const;
  return new Intl.NumberFormat(locale, options).format(decimal as DigitText);
}

/** From here on an axis has no room for every digit. */
const LONG_AXIS = 10_000;

/** An amount at a mark of an axis: $0.0005, $2.50, $40, $20K. */
export function formatAxisMoney(value: number, locale: string): string {
  const isLong = value >= LONG_AXIS;
  return new Intl.NumberFormat(locale, {
    ...USD,
    minimumFractionDigits: Number.isInteger(value) ? 0 : 2,
    maximumFractionDigits: isLong ? 1 : 12,
    ...(isLong && { notation: "compact" }),
  }).format(value);
}

export function formatNumber(value: number, locale: string): string {
  return new Intl.NumberFormat(locale).format(value);
}

/** 1.2K, 3.4M; in Chinese 1.2万. */
export function formatCompact(value: number, locale: string): string {
  return new Intl.NumberFormat(locale, { notation: "compact", maximumFractionDigits: 1 }).format(
    value,
  );
}

export function formatPercent(percent: number, locale: string): string {
  const options = { style: "percent", maximumFractionDigits: percent < 10 ? 1 : 0 } as const;
  return new Intl.NumberFormat(locale, options).format(percent / 100);
}

export function formatUnit(value: number, unit: string, locale: string, digits = 0): string {
  const look = { style: "unit", unitDisplay: "short" } as const;
  const options = { ...look, unit, maximumFractionDigits: digits };
  return new Intl.NumberFormat(locale, options).format(value);
}

/** 850 ms, 2.4 s, 1 min 5 s. */
export function formatDuration(ms: number, locale: string): string {
  const unit = (value: number, name: string, digits?: number) =>
    formatUnit(value, name, locale, digits);
  if (ms < 1000) return unit(ms, "millisecond");
  if (ms < MINUTE_MS) return unit(ms / 1000, "second", 1);
  const seconds = Math.floor((ms % MINUTE_MS) / 1000);
  return `${unit(Math.floor(ms / MINUTE_MS), "minute")} ${unit(seconds, "second")}`;
}

// Times have one rule each. An instant is told in the visitor's zone: how long ago it was (`formatPast`),
// how far off it is (`formatRelative`), its clock time in a log (`formatClock`) or all of it (`formatExact`,
// `formatDate`). A calendar day is the same day everywhere (`formatDay`); prices and models begin with a day
// of UTC, which comes as the instant of its midnight (`formatFirstDay`).

const DATE = { year: "numeric", month: "short", day: "numeric" } as const;
const TIME = { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" } as const;

/** 3 minutes ago, in 12 days; in words that a person uses. */
export function formatRelative(iso: string, nowMs: number, locale: string): string {
  const ms = Date.parse(iso) - nowMs;
  const far = Math.abs(ms);
  const words = new Intl.RelativeTimeFormat(locale, { numeric: "auto", style: "short" });
  if (far < MINUTE_MS) return words.format(Math.round(ms / 1000), "second");
  if (far < HOUR_MS) return words.format(Math.round(ms / MINUTE_MS), "minute");
  if (far < DAY_MS) return words.format(Math.round(ms / HOUR_MS), "hour");
  if (far < 45 * DAY_MS) return words.format(Math.round(ms / DAY_MS), "day");
  if (far < 365 * DAY_MS) return words.format(Math.round(ms / (30.44 * DAY_MS)), "month");
  return words.format(Math.round(ms / (365.25 * DAY_MS)), "year");
}

/** Of what has happened: a clock that is a little behind does not make it something to come. */
export function formatPast(iso: string, nowMs: number, locale: string): string {
  const atMs = Math.min(Date.parse(iso), nowMs);
  return formatRelative(new Date(atMs).toISOString(), nowMs, locale);
}

/** 08:30:00, as logs have it; with its day where that is not today. */
export function formatClock(iso: string, nowMs: number, locale: string, timeZone: string): string {
  const atMs = Date.parse(iso);
  const [day, today] = [dayIn(atMs, timeZone), dayIn(nowMs, timeZone)];
  return new Intl.DateTimeFormat(locale, {
    timeZone,
    ...(day !== today && { month: "short", day: "numeric" }),
    ...(day.slice(0, 4) !== today.slice(0, 4) && { year: "numeric" }),
    ...TIME,
  }).format(atMs);
}

/** To the second, with the zone it is told in, which stands last in every language. */
export function formatExact(iso: string, locale: string, timeZone: string): string {
  const at = new Date(iso);
  const instant = new Intl.DateTimeFormat(locale, { timeZone, ...DATE, ...TIME }).format(at);
  const zone = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: "short" })
    .formatToParts(at)
    .find(({ type }) => type === "timeZoneName");
  return `${instant} ${zone?.value}`;
}

export function formatDate(iso: string, locale: string, timeZone: string): string {
  return new Intl.DateTimeFormat(locale, { timeZone, ...DATE }).format(new Date(iso));
}

/**
 * The day on which something is in force from midnight of UTC on: that day, wherever it is read. What begins
 * within a day is an instant like others.
 */
export function formatFirstDay(iso: string, locale: string, timeZone: string): string {
  const isMidnight = Date.parse(iso) % DAY_MS === 0;
  return formatDate(iso, locale, isMidnight ? "UTC" : timeZone);
}

/** A calendar day (`2026-11-15`), which is the same day in every zone. */
export function formatDay(day: string, locale: string): string {
  const options = { timeZone: "UTC", month: "short", day: "numeric" } as const;
  return new Intl.DateTimeFormat(locale, options).format(new Date(`${day}T00:00:00Z`));
}

/** A calendar day among times that `formatClock` tells: with its year where that is not this year. */
export function formatLogDay(day: string, nowMs: number, locale: string, timeZone: string): string {
  const isThisYear = day.slice(0, 4) === dayIn(nowMs, timeZone).slice(0, 4);
  return isThisYear ? formatDay(day, locale) : formatDate(`${day}T00:00:00Z`, locale, "UTC");
}

/** The calendar day of an instant in a zone. */
export function dayIn(ms: number, timeZone: string): string {
  return new Intl.DateTimeFormat("en-CA", { timeZone }).format(new Date(ms));
}

/** Calendar days, oldest first, that end with the day of `nowMs`. */
export function lastDays(count: number, nowMs: number, timeZone: string): string[] {
  const end = Date.parse(`${dayIn(nowMs, timeZone)}T00:00:00Z`);
  return Array.from({ length: count }, (_, index) =>
    new Date(end - (count - 1 - index) * DAY_MS).toISOString().slice(0, 10),
  );
}
