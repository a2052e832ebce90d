import { useSpeech } from "../i18n/language.tsx";
import {
  formatClock,
  formatDate,
  formatExact,
  formatFirstDay,
  formatPast,
  formatRelative,
} from "../lib/format.ts";
import { useTimeZone } from "../lib/session.tsx";
import { useNow } from "../lib/time/now.ts";
import { cx } from "./cx.ts";

export interface TimeProps {
  readonly at: string;
  /**
   * How it is told: how long ago it was, unless said otherwise. `ahead` is for what may be to come, `clock`
   * for the lines of a log, `day` for what begins with a day of UTC.
   */
  readonly as?: "past" | "ahead" | "clock" | "exact" | "date" | "day";
}

/** An instant in words, with the exact one, in the visitor's time zone, on hover. */
export function Time({ at, as = "past" }: TimeProps) {
  const { locale } = useSpeech();
  const timeZone = useTimeZone();
  const nowMs = useNow();
  const exact = formatExact(at, locale, timeZone);
  const words = {
    past: () => formatPast(at, nowMs, locale),
    ahead: () => formatRelative(at, nowMs, locale),
    clock: () => formatClock(at, nowMs, locale, timeZone),
    exact: () => exact,
    date: () => formatDate(at, locale, timeZone),
    day: () => formatFirstDay(at, locale, timeZone),
  };
  const title = as === "clock" ? `${formatPast(at, nowMs, locale)} · ${exact}` : exact;
  return (
    <time
      dateTime={at}
      title={title}
      // Where there is little room a day stands above its time, or what a line cost would be out of sight.
      className={cx("tabular-nums", as !== "clock" && "whitespace-nowrap")}
    >
      {words[as]()}
    </time>
  );
}
