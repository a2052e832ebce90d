import type { ReactNode } from "react";
import type { AccountState, PublicAccount } from "../../src/console/contract/material.ts";
import { useSpeech } from "../i18n/language.tsx";
import { formatNumber } from "../lib/format.ts";
import { Badge } from "../ui/badge.tsx";
import { Card } from "../ui/card.tsx";
import { Code } from "../ui/code.tsx";
import { cx } from "../ui/cx.ts";
import { Skeleton } from "../ui/skeleton.tsx";

const QUOTAS: readonly AccountState["quotas"][number]["name"][] = [
  "draft_add",
  "draft_update",
  "draft_get",
  "draft_batchget",
  "media_upload",
  "publish_submit",
  "mass_send",
];

interface AccountFactsProps {
  readonly account: PublicAccount;
  /** Absent while it loads. */
  readonly state: AccountState | undefined;
}

/** What the platform knows about the account, and what is left of the day. */
export function AccountFacts({ account, state }: AccountFactsProps) {
  const { t } = useSpeech();
  return (
    <Card>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-4 lg:grid-cols-[auto_auto_auto_1fr]">
        <Fact label={t("material.appid")} className="col-span-2 lg:col-span-1">
          <Code>{account.appid}</Code>
        </Fact>
        <Fact label={t("material.type")}>
          <span className="flex flex-wrap items-center gap-1.5 text-sm">
            {t(`material.type_${account.type}`)}
            <Badge tone={account.verified ? "good" : "warn"}>
              {t(account.verified ? "material.verified" : "material.notVerified")}
            </Badge>
          </span>
        </Fact>
        <Fact label={t("material.rights")}>
          <Rights account={account} />
        </Fact>
        <Fact label={t("material.addresses")}>
          <span className="text-sm break-words">
            {account.ip_list.length === 0 ? t("material.anyAddress") : account.ip_list.join(", ")}
          </span>
        </Fact>
      </dl>
      <Quotas state={state} />
    </Card>
  );
}

interface FactProps {
  readonly label: string;
  readonly className?: string;
  readonly children: ReactNode;
}

function Fact({ label, className, children }: FactProps) {
  return (
    <div className={cx("min-w-0", className)}>
      <dt className="text-[13px] text-muted">{label}</dt>
      <dd className="mt-1 flex min-h-7 items-center">{children}</dd>
    </div>
  );
}

function Rights({ account }: { readonly account: PublicAccount }) {
  const { t } = useSpeech();
  const { comment_right, product_right, frozen } = account;
  const tones = { ok: "good", restricted: "warn", off: "neutral" } as const;
  return (
    <span className="flex flex-wrap gap-1.5">
      <Badge tone={comment_right ? "good" : "neutral"}>
        {t(comment_right ? "material.comments" : "material.noComments")}
      </Badge>
      <Badge tone={tones[product_right]}>{t(`material.products_${product_right}`)}</Badge>
      {frozen && <Badge tone="bad">{t("material.frozen")}</Badge>}
    </span>
  );
}

function Quotas({ state }: { readonly state: AccountState | undefined }) {
  const { t, locale } = useSpeech();
  const number = (value: number) => formatNumber(value, locale);
  return (
    <section aria-label={t("material.quotas")} className="mt-5 border-t border-line pt-4">
      <p className="flex flex-wrap items-baseline gap-x-2 text-[13px]">
        <span className="font-medium">{t("material.quotas")}</span>
        <span className="text-muted">{t("material.quotasHint")}</span>
      </p>
      <dl className="mt-2 grid grid-cols-2 gap-x-6 gap-y-2 sm:grid-cols-4 xl:grid-cols-7">
        {QUOTAS.map((name) => {
          const quota = state?.quotas.find((one) => one.name === name);
          return (
            <div key={name} className="min-w-0 text-[13px]">
              <dt className="text-muted">{t(`material.quota_${name}`)}</dt>
              <dd className="min-h-5 tabular-nums">
                {quota ? (
                  t("material.quotaUsed", { used: number(quota.used), max: number(quota.max) })
                ) : (
                  <Skeleton className="my-1 h-3 w-16" />
                )}
              </dd>
            </div>
          );
        })}
      </dl>
    </section>
  );
}
