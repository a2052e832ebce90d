import type { Wallet } from "../../../src/payments/contract/wallet.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { Badge } from "../../ui/badge.tsx";
import { cx } from "../../ui/cx.ts";
import { convertUp, formatCurrency, type Way } from "./payment.ts";

interface WayChoiceProps {
  readonly ways: readonly Way[];
  readonly value: Way["id"];
  readonly error: string | undefined;
  /** In USD; absent while what is typed is no amount. */
  readonly amount: string | undefined;
  readonly currency: Wallet["display_currency"];
  readonly onChange: (way: Way["id"]) => void;
}

/** Each way is a card of its own: few enough to be seen at once. */
export function WayChoice({ ways, value, error, amount, currency, onChange }: WayChoiceProps) {
  const { t, locale } = useSpeech();
  const hintOf = ({ id, provider }: Way) => {
    if (id === "stripe" || id === "test") return t(`wallet.wayHint_${id}`);
    if (provider !== "epay" || !currency || !amount) return undefined;
    const paid = formatCurrency(convertUp(amount, currency.rate), currency.code, locale);
    return t("wallet.wayHint_cny", { amount: paid });
  };
  return (
    <fieldset>
      <legend className="mb-1.5 text-[13px] font-medium">{t("wallet.way")}</legend>
      <div className="flex flex-col gap-2">
        {ways.map((way) => (
          <label
            key={way.id}
            className={cx(
              "flex min-h-11 items-center gap-3 rounded-lg border px-3 py-2 text-sm",
              "has-focus-visible:outline-2 has-focus-visible:outline-accent",
              value === way.id
                ? "border-accent bg-accent-soft"
                : "border-line-strong hover:bg-hover",
            )}
          >
            <input
              type="radio"
              name="way"
              value={way.id}
              checked={value === way.id}
              onChange={() => onChange(way.id)}
              className="size-4 shrink-0 accent-accent outline-none"
            />
            <span className="font-medium">{t(`wallet.way_${way.id}`)}</span>
            {way.id === "test" && <Badge tone="warn">{t("wallet.testBadge")}</Badge>}
            <span className="ml-auto text-right text-[13px] text-muted">{hintOf(way)}</span>
          </label>
        ))}
      </div>
      {error !== undefined && <p className="mt-1.5 text-[13px] text-bad">{error}</p>}
    </fieldset>
  );
}
