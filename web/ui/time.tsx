import { useSpeech } from "../i18n/language.tsx";
import { formatDate, formatExact, formatRelative } from "../lib/format.ts";
import { useNow } from "../lib/now.ts";
import { useTimeZone } from "../lib/session.tsx";

interface TimeProps {
  readonly at: string;
  /** How it is told: `relative` unless the exact instant is the point. */
  readonly as?: "relative" | "exact" | "date";
}

/** An instant in words, with the exact one, in the visitor's time zone, on hover. */
export function Time({ at, as = "relative" }: TimeProps) {
  const { locale } = useSpeech();
  const timeZone = useTimeZone();
  const nowMs = useNow();
  const exact = formatExact(at, locale, timeZone);
  const words = {
    relative: () => formatRelative(at, nowMs, locale),
    exact: () => exact,
    date: () => formatDate(at, locale, timeZone),
  };
  return (
    <time dateTime={at} title={exact} className="whitespace-nowrap tabular-nums">
      {words[as]()}
    </time>
  );
}
