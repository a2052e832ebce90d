import { EXPIRY_YEAR_MAX, endsTooLate } from "../../accounts/keys/expiry.ts";
import { systemClock } from "../../lib/clock.ts";
import { readMoment } from "../../lib/text/moments.ts";
import { mistake, type Options, text } from "./arguments.ts";

/** When and where a command is typed. */
interface Here {
  readonly nowMs: number;
  readonly timeZone: string;
}

function here(): Here {
  return { nowMs: systemClock(), timeZone: Temporal.Now.timeZoneId() };
}

/** When a day is over. Undefined for one that no calendar has. */
function endOfDay(day: string, timeZone: string): number | undefined {
  try {
    const next = Temporal.PlainDate.from(day).add({ days: 1 });
    return next.toZonedDateTime(timeZone).epochMilliseconds;
  } catch {
    return undefined;
  }
}

/** A day is the last one on which a key works, as in the console; a time names its own zone. */
function readEnd(value: string, timeZone: string): number | undefined {
  return /^\d{4}-\d{2}-\d{2}$/.test(value) ? endOfDay(value, timeZone) : readMoment(value);
}

/** When a key ends, or "never". */
export function expiry(
  options: Options,
  name: string,
  { nowMs, timeZone }: Here = here(),
): number | null | undefined {
  const value = text(options, name);
  if (value === undefined) return undefined;
  if (value === "never") return null;
  const option = `--${name}`;
  const endMs = readEnd(value, timeZone);
  if (endMs === undefined) throw mistake("notExpiry", { option });
  if (endMs <= nowMs) throw mistake("expiryPassed", { option });
  if (endsTooLate(endMs)) throw mistake("expiryTooLate", { option, year: EXPIRY_YEAR_MAX });
  return endMs;
}
