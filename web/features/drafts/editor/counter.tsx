import { useSpeech } from "../../../i18n/language.tsx";
import { formatNumber } from "../../../lib/format.ts";
import { cx } from "../../../ui/cx.ts";
import { codePoints, LINE_LIMITS, type LineName, lineState, widthUnits } from "./measure.ts";

const LOOKS = {
  fits: "text-muted",
  near: "font-medium text-warn",
  over: "font-medium text-bad",
} as const;

/** How long a line is in both counts; the second one matters to Chinese. */
export function Counter({ name, text }: { readonly name: LineName; readonly text: string }) {
  const { t } = useSpeech();
  const { characters: limit, units: unitsMax } = LINE_LIMITS[name];
  const found = codePoints(text);
  const units = widthUnits(text);
  return (
    <span
      className={cx("text-xs whitespace-nowrap tabular-nums", LOOKS[lineState(name, text)])}
      title={t("drafts.counter", { found, limit, units, unitsMax })}
    >
      {t("drafts.counterShort", { found, limit })}
      {units > found && <> · {t("drafts.unitsShort", { units, unitsMax })}</>}
    </span>
  );
}

/** Bytes as people say them. */
export function useFileSize(): (bytes: number) => string {
  const { locale } = useSpeech();
  return (bytes) =>
    bytes < 1024 * 1024
      ? `${formatNumber(Math.ceil(bytes / 1024), locale)} KB`
      : `${formatNumber(Math.round(bytes / 104_857.6) / 10, locale)} MB`;
}
