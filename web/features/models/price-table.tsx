import type { Model, Price } from "../../../src/console/contract/models.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { formatCompact, formatFirstDay } from "../../lib/format.ts";
import { useTimeZone } from "../../lib/session.tsx";
import { Money } from "../../ui/money.tsx";
import { hoursText, weekdaysText } from "./model-list.ts";

/** What a token costs now, for long prompts, at some hours, and soon. */
function useColumns({ price, upcoming }: Model) {
  const { t, locale } = useSpeech();
  const timeZone = useTimeZone();
  if (!price) return [];
  const above = ({ above: tiers }: Pick<Price, "above">, id: string) =>
    tiers.map((rates) => ({
      id: `${id}-${rates.prompt_tokens}`,
      header: t("models.priceAbove", { tokens: formatCompact(rates.prompt_tokens, locale) }),
      rates,
    }));
  return [
    { id: "now", header: t("models.priceBasic"), rates: price },
    ...above(price, "now"),
    ...price.windows.map((rates, index) => ({
      id: `window-${index}`,
      header: t("models.priceWindow", {
        days: weekdaysText(rates.weekdays, locale) ?? t("models.everyDay"),
        hours: hoursText(rates.hours_utc),
      }),
      rates,
    })),
    ...upcoming.map((rates) => ({
      id: rates.version,
      header: t("models.upcoming", { day: formatFirstDay(rates.effective_from, locale, timeZone) }),
      rates,
    })),
  ];
}

export function PriceTable({ model }: { readonly model: Model }) {
  const { t } = useSpeech();
  const columns = useColumns(model);
  const { price } = model;
  if (!price) return null;
  const lines = [
    ["input", t("models.input")],
    ["cache_read", t("models.cacheRead")],
    ["cache_write", t("models.cacheWrite")],
    ["cache_write_long", t("models.cacheWriteLong")],
    ["output", t("models.output")],
  ] as const;
  // A model that only reads has no cache and no answer.
  const shown = model.max_output === 0 ? lines.slice(0, 1) : lines;
  return (
    <div>
      <h3 className="mb-2 text-sm font-semibold">{t("models.price")}</h3>
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        tabIndex={0}
        aria-label={t("models.price")}
        className="overflow-x-auto rounded-lg border border-line"
      >
        <table className="w-full border-collapse text-sm">
          <thead>
            <tr className="border-b border-line text-[13px] text-muted">
              <td />
              {columns.map(({ id, header }) => (
                <th key={id} scope="col" className="px-3 py-2 text-right font-medium">
                  {header}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map(([name, label]) => (
              <tr key={name} className="border-b border-line last:border-0">
                <th scope="row" className="px-3 py-1.5 text-left font-normal whitespace-nowrap">
                  {label}
                </th>
                {columns.map(({ id, rates }) => (
                  <td key={id} className="px-3 py-1.5 text-right">
                    {model.free ? t("models.free") : <Money exact amount={rates[name]} />}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <PriceNotes price={price} />
    </div>
  );
}

function PriceNotes({ price }: { readonly price: Price }) {
  const { t } = useSpeech();
  return (
    <div className="mt-2 text-[13px] text-muted">
      {price.web_search_per_thousand !== null && (
        <p className="flex justify-between gap-4 text-text">
          <span>{t("models.webSearch")}</span>
          <Money exact amount={price.web_search_per_thousand} />
        </p>
      )}
      <p>
        {price.above.length > 0 && t("models.priceAboveNote")}{" "}
        {t("models.priceVersion", { version: price.version })}
      </p>
    </div>
  );
}
