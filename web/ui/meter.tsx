import type { ReactNode } from "react";
import { useSpeech } from "../i18n/language.tsx";
import { percentOf } from "../lib/decimal.ts";
import { formatLeft, formatMoney, formatPercent } from "../lib/format.ts";
import { cx } from "./cx.ts";

interface MeterProps {
  readonly label: string;
  readonly used: string;
  /** Reserved by requests that run now. */
  readonly held?: string;
  readonly amount: string;
  /** When it starts again. */
  readonly hint?: ReactNode;
  readonly compact?: boolean;
}

const FULL = 100;
const NEAR = 80;

function barTone(percent: number): string {
  if (percent >= FULL) return "bg-bad-fill";
  return percent >= NEAR ? "bg-warn-fill" : "bg-accent";
}

/** "x / y", how much of it in percent, and when it starts again. */
export function Meter({ label, used, held = "0", amount, hint, compact }: MeterProps) {
  const { locale, t } = useSpeech();
  const percent = percentOf(used, amount);
  const heldPercent = Math.min(percentOf(held, amount), Math.max(0, FULL - percent));
  // All of it is used only when it is, as with the percent.
  const text = `${formatLeft(used, locale)} / ${formatMoney(amount, locale)}`;
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3 text-[13px]">
        {!compact && <span className="truncate text-muted">{label}</span>}
        <span className="tabular-nums">
          {text}{" "}
          <span className={cx("ml-1", percent >= FULL ? "font-medium text-bad" : "text-muted")}>
            {formatPercent(percent, locale)}
          </span>
        </span>
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a native meter cannot show what is held too. */}
      <div
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={FULL}
        aria-valuenow={Math.min(FULL, percent)}
        aria-valuetext={t("words.meter", { used: text, percent: formatPercent(percent, locale) })}
        className="flex h-1.5 overflow-hidden rounded-full bg-hover"
      >
        <span className={barTone(percent)} style={{ width: `${Math.min(FULL, percent)}%` }} />
        <span className="bg-line-strong" style={{ width: `${heldPercent}%` }} />
      </div>
      {hint && <div className="text-xs text-muted">{hint}</div>}
    </div>
  );
}
