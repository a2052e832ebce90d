import type { ReactNode } from "react";
import type { Key } from "../../../src/console/contract/keys.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { formatNumber } from "../../lib/format.ts";
import { Card } from "../../ui/card.tsx";
import { Time } from "../../ui/time.tsx";
import { KEY_OPTIONS } from "./access-form.ts";

export function KeyFacts({ item }: { readonly item: Key }) {
  const { t, locale } = useSpeech();
  const options = KEY_OPTIONS.filter((name) => item[name]).map((name) => t(`keys.option_${name}`));
  const limit = (value: number | null) =>
    value === null ? t("words.unlimited") : formatNumber(value, locale);
  const facts: readonly (readonly [string, ReactNode])[] = [
    [t("keys.rpm"), limit(item.rpm)],
    [t("keys.tpm"), limit(item.tpm)],
    [t("keys.concurrency"), limit(item.concurrency)],
    [t("keys.models"), item.models?.join(", ") ?? t("keys.allModels")],
    [t("keys.networks"), item.networks?.join(", ") ?? t("keys.anyNetwork")],
    [t("keys.createdAt"), <Time key="created" at={item.created_at} as="date" />],
    [
      t("keys.expiresAt"),
      item.expires_at ? (
        <Time key="expires" at={item.expires_at} as="ahead" />
      ) : (
        t("keys.neverExpires")
      ),
    ],
    [t("keys.options"), options.join(" · ") || t("words.none")],
  ];
  return (
    <Card title={t("keys.limits")}>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-4 text-sm sm:grid-cols-4">
        {facts.map(([label, value]) => (
          <div key={label} className="min-w-0">
            <dt className="text-[13px] text-muted">{label}</dt>
            <dd className="mt-0.5 break-words">{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
