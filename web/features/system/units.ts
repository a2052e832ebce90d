import { formatUnit } from "../../lib/format.ts";

const BYTE_UNITS = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;
const STEP = 1024;
const MINUTE_S = 60;
const HOUR_S = 3_600;
const DAY_S = 86_400;

/** 512 byte, 1.5 MB, 12 GB. */
export function formatBytes(bytes: number, locale: string): string {
  let value = bytes;
  let step = 0;
  while (value >= STEP && step < BYTE_UNITS.length - 1) {
    value /= STEP;
    step += 1;
  }
  return formatUnit(value, BYTE_UNITS[step] ?? "byte", locale, value < 10 && step > 0 ? 1 : 0);
}

/** The two largest units that say something: 3 days 4 hr, 12 min. */
export function formatUptime(seconds: number, locale: string): string {
  const days = Math.floor(seconds / DAY_S);
  const hours = Math.floor((seconds % DAY_S) / HOUR_S);
  const minutes = Math.floor((seconds % HOUR_S) / MINUTE_S);
  if (days > 0) return `${formatUnit(days, "day", locale)} ${formatUnit(hours, "hour", locale)}`;
  if (hours > 0)
    return `${formatUnit(hours, "hour", locale)} ${formatUnit(minutes, "minute", locale)}`;
  return minutes > 0
    ? formatUnit(minutes, "minute", locale)
    : formatUnit(seconds, "second", locale);
}
