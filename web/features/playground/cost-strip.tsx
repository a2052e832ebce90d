import { useSpeech } from "../../i18n/language.tsx";
import { addDecimals } from "../../lib/decimal.ts";
import { formatNumber } from "../../lib/format.ts";
import { Stat, StatRow } from "../../ui/card.tsx";
import { Money } from "../../ui/money.tsx";
import type { TurnCost } from "./turn-cost.ts";

const HINTS = {
  estimated: "playground.estimated",
  reported: "playground.reported",
  receipt: "playground.fromReceipt",
} as const;

/** The last turn's numbers, which run while it is written, and what all of them cost. */
export function CostStrip({ costs }: { readonly costs: readonly TurnCost[] }) {
  const { t, locale } = useSpeech();
  const last = costs.at(-1);
  const hint = last ? t(HINTS[last.source]) : "\u00a0";
  const total = addDecimals(...costs.map(({ cost }) => cost ?? "0"));
  const about = last?.source === "estimated" && last.cost !== undefined ? "≈ " : "";
  return (
    <StatRow>
      {(["input", "output"] as const).map((name) => (
        <Stat
          key={name}
          label={t(`playground.${name}Tokens`)}
          value={last ? formatNumber(last[name], locale) : "–"}
          hint={hint}
        />
      ))}
      <Stat
        label={t("playground.cost")}
        value={
          last?.cost === undefined ? (
            "–"
          ) : (
            <span data-cost={last.source}>
              {about}
              <Money amount={last.cost} />
            </span>
          )
        }
        hint={hint}
      />
      <Stat
        label={t("playground.total")}
        value={<Money amount={total} />}
        hint={t("playground.requests", { count: costs.length })}
      />
    </StatRow>
  );
}
