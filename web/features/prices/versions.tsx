import type { OperatorModel, Price } from "../../../src/console/operator/contract/models.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { api } from "../../lib/api.ts";
import { formatNumber } from "../../lib/format.ts";
import { useNow } from "../../lib/time/now.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Money } from "../../ui/money.tsx";
import { Time } from "../../ui/time.tsx";
import { useAction } from "../../ui/toasts/toast.tsx";
import { priceInForce } from "./price-form.ts";
import { MODELS_PATH, RATES } from "./rates.ts";

/** So that the drawer stays within two screens; receipts name older ones by their version. */
const VERSIONS_SHOWN = 4;

/** The newest first: what is announced, what is in force, what was. */
export function Versions({ model }: { readonly model: OperatorModel }) {
  const { t } = useSpeech();
  const current = priceInForce(model, useNow());
  const more = model.prices.length - VERSIONS_SHOWN;
  return (
    <section>
      <h3 className="text-sm font-semibold">{t("prices.versions")}</h3>
      <p className="mb-2 text-[13px] text-muted">{t("prices.perMillion")}</p>
      <ol className="flex flex-col gap-3">
        {model.prices.slice(0, VERSIONS_SHOWN).map((price) => (
          <li key={price.version} className="rounded-lg border border-line px-3.5 py-3">
            <VersionHead price={price} inForce={price === current} />
            <Rates price={price} />
          </li>
        ))}
      </ol>
      {more > 0 && (
        <p className="mt-2 text-[13px] text-muted">{t("prices.olderVersions", { count: more })}</p>
      )}
    </section>
  );
}

function VersionHead({ price, inForce }: { readonly price: Price; readonly inForce: boolean }) {
  const { t, rich } = useSpeech();
  // The shipped prices begin before anything was counted.
  const always = Date.parse(price.effective_from) <= 0;
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <code className="min-w-0 font-mono text-[13px] break-all">{price.version}</code>
      {price.pending && <Badge tone="accent">{t("prices.pending")}</Badge>}
      {inForce && <Badge tone="good">{t("prices.inForce")}</Badge>}
      <span className="w-full text-[13px] text-muted">
        {always
          ? t("prices.always")
          : rich("prices.since", { time: <Time as="day" at={price.effective_from} /> })}
        {price.effective_to &&
          rich("prices.endsAt", { time: <Time as="day" at={price.effective_to} /> })}
      </span>
      {price.pending && price.id !== null && <WithdrawButton id={price.id} />}
    </div>
  );
}

function WithdrawButton({ id }: { readonly id: string }) {
  const { t } = useSpeech();
  const withdraw = useAction(() => api.delete(`/api/operator/prices/${id}`), {
    refresh: [MODELS_PATH],
    done: t("prices.withdrawn"),
  });
  return (
    <Button size="small" kind="danger" busy={withdraw.unseen} onClick={() => withdraw.run()}>
      {t("prices.withdraw")}
    </Button>
  );
}

function Rates({ price }: { readonly price: Price }) {
  const { t, locale } = useSpeech();
  const rates = RATES.flatMap((name) => {
    const amount = price[name];
    return amount === undefined ? [] : [{ name, amount }];
  });
  return (
    <>
      <dl className="mt-2 grid grid-cols-2 gap-x-6 gap-y-1 text-[13px] sm:grid-cols-3">
        {rates.map(({ name, amount }) => (
          <div key={name}>
            <dt className="text-muted">{t(`prices.rate_${name}`)}</dt>
            <dd>
              <Money exact amount={amount} />
            </dd>
          </div>
        ))}
      </dl>
      {price.above.map((tier) => (
        <p key={tier.prompt_tokens} className="mt-2 text-[13px] text-muted">
          {t("prices.tier", { tokens: formatNumber(tier.prompt_tokens, locale) })}{" "}
          <Money exact amount={tier.input} /> · <Money exact amount={tier.output} />
        </p>
      ))}
      {price.windows.length > 0 && (
        <p className="mt-2 text-[13px] text-muted">{t("prices.hasWindows")}</p>
      )}
    </>
  );
}
