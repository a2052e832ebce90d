// What the console's API answers. Amounts are decimal strings in USD, times are ISO-8601 in UTC.

export type Decimal = string;
export type Instant = string;

export const PERIODS = ["total", "day", "week", "month"] as const;
export type Period = (typeof PERIODS)[number];
