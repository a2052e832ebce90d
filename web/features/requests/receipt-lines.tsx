import type { Receipt, ReceiptLine } from "../../../src/console/contract/receipt.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { formatMoney, formatNumber } from "../../lib/format.ts";
import { Money } from "../../ui/money.tsx";
import { listedPrice, roundingOf } from "./receipt.ts";

const NUMBER = "py-1.5 pl-3 text-right tabular-nums whitespace-nowrap";

/** Bucket × price = line, down to the last digit. */
export function ReceiptLines({ receipt }: { readonly receipt: Receipt }) {
  const { t } = useSpeech();
  const { lines, cost } = receipt;
  if (lines.length === 0) return <p className="text-sm text-muted">{t("requests.noLines")}</p>;
  const rounding = roundingOf(lines, cost);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section aria-label={t("requests.linesTitle")} tabIndex={0} className="overflow-x-auto">
      <table className="w-full border-collapse text-sm">
        <thead>
          <tr className="border-b border-line text-left text-[13px] text-muted">
            <th scope="col" className="py-1.5 font-medium">
              {t("requests.item")}
            </th>
            {(["quantity", "unitPrice", "amount"] as const).map((name) => (
              <th key={name} scope="col" className={`${NUMBER} font-medium`}>
                {t(`requests.${name}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <LineRow key={`${line.item}-${line.unit_price}`} line={line} />
          ))}
        </tbody>
        <tfoot>
          {rounding !== "0" && <SumRow label={t("requests.rounding")} amount={rounding} />}
          <SumRow strong label={t("requests.charged")} amount={cost} />
        </tfoot>
      </table>
    </section>
  );
}

function LineRow({ line }: { readonly line: ReceiptLine }) {
  const { t, locale } = useSpeech();
  if (line.item === "beyond_hold" || line.item === "extras") {
    return <SumRow label={t(`requests.item_${line.item}`)} amount={line.amount} />;
  }
  const price = formatMoney(listedPrice(line), locale, true);
  return (
    <tr className="border-b border-line">
      <th scope="row" className="py-1.5 text-left font-normal">
        {t(`requests.item_${line.item}`)}
      </th>
      <td className={NUMBER}>{formatNumber(line.quantity, locale)}</td>
      <td className={`${NUMBER} text-muted`}>
        {line.item === "web_search"
          ? t("requests.perThousand", { price })
          : t("requests.perMillion", { price })}
      </td>
      <td className={NUMBER}>
        <Money exact amount={line.amount} />
      </td>
    </tr>
  );
}

interface SumRowProps {
  readonly label: string;
  readonly amount: string;
  readonly strong?: boolean;
}

function SumRow({ label, amount, strong }: SumRowProps) {
  return (
    <tr className={strong ? "font-semibold" : "border-b border-line text-muted"}>
      <th scope="row" colSpan={3} className="py-1.5 text-left font-[inherit]">
        {label}
      </th>
      <td className={NUMBER}>
        <Money exact amount={amount} />
      </td>
    </tr>
  );
}
