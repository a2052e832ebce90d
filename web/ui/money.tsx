import { useSpeech } from "../i18n/language.tsx";
import { formatLeft, formatMoney } from "../lib/format.ts";
import { cx } from "./cx.ts";

interface MoneyProps {
  readonly amount: string;
  /** Every digit, for receipts. */
  readonly exact?: boolean;
  /** What is left of something, of which no more is told than there is. */
  readonly left?: boolean;
  /** A plus sign for what comes in. */
  readonly signed?: boolean;
  readonly className?: string;
}

/** An amount in USD with figures of equal width; every digit on hover. */
export function Money({ amount, exact = false, left, signed, className }: MoneyProps) {
  const { locale } = useSpeech();
  const plus = signed && !amount.startsWith("-") && !/^0*\.?0*$/.test(amount) ? "+" : "";
  return (
    <span
      className={cx("whitespace-nowrap tabular-nums", className)}
      title={formatMoney(amount, locale, true)}
    >
      {plus}
      {left ? formatLeft(amount, locale) : formatMoney(amount, locale, exact)}
    </span>
  );
}
