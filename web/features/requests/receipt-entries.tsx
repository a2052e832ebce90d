import type { ReceiptEntry } from "../../../src/console/contract/receipt.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { Money } from "../../ui/money.tsx";
import { Time } from "../../ui/time.tsx";
import { releasedOf } from "./receipt.ts";

/** What was set aside, and what became of it. */
export function ReceiptEntries({ entries }: { readonly entries: readonly ReceiptEntry[] }) {
  const { t } = useSpeech();
  const [hold, ...ends] = entries;
  const last = ends.at(-1);
  if (!hold || !last) return <p className="text-sm text-muted">{t("requests.noHold")}</p>;
  const released = releasedOf(hold.amount, last.kind === "void" ? "0" : last.amount);
  return (
    <>
      <ol className="flex flex-col text-sm">
        {entries.map((entry) => (
          <li
            key={entry.kind}
            className="flex flex-wrap items-baseline justify-between gap-x-3 border-b border-line py-1.5"
          >
            <span>{t(`requests.entry_${entry.kind}`)}</span>
            <span className="flex grow flex-wrap items-baseline justify-between gap-x-3 sm:grow-0">
              <span className="text-xs text-muted">
                <Time at={entry.created_at} as="exact" />
              </span>
              <Money exact amount={entry.amount} />
            </span>
          </li>
        ))}
      </ol>
      {released !== "0" && (
        <p className="flex flex-wrap justify-between gap-x-3 py-1.5 text-sm text-muted">
          {t("requests.released")}
          <Money exact amount={released} />
        </p>
      )}
    </>
  );
}
