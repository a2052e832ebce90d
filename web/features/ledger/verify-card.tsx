import { CircleAlert, CircleCheck, ShieldCheck } from "lucide-react";
import type { Verification } from "../../../src/console/operator/contract/ledger.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { api } from "../../lib/api.ts";
import { formatDuration, formatNumber } from "../../lib/format.ts";
import { Notice } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Time } from "../../ui/time.tsx";
import { useAction } from "../../ui/toasts/toast.tsx";
import { LEDGER_PATH } from "./paths.ts";

/** Adds up every entry, which takes a while with many: only when somebody asks for it. */
export function VerifyCard() {
  const { t } = useSpeech();
  const verify = useAction(() => api.get<Verification>(`${LEDGER_PATH}/verify`));
  const button = (
    <Button kind="primary" busy={verify.busy} onClick={() => verify.run()}>
      <ShieldCheck size={16} />
      {verify.busy ? t("ledger.verifying") : t("ledger.verify")}
    </Button>
  );
  return (
    <Card title={t("ledger.verifyTitle")} action={button}>
      <div aria-live="polite" className="text-sm">
        {verify.busy ? (
          <Skeleton className="h-52 w-full sm:h-36" />
        ) : verify.data ? (
          <Result verification={verify.data} />
        ) : (
          <p className="text-muted">{t("ledger.verifyHint")}</p>
        )}
      </div>
    </Card>
  );
}

const COUNTS = ["accounts", "keys", "entries", "receipts", "open_holds"] as const;

function Result({ verification }: { readonly verification: Verification }) {
  const { t, rich, locale } = useSpeech();
  const { ok, problems, problems_total: total } = verification;
  return (
    <div className="flex flex-col gap-4">
      {ok ? (
        <Notice tone="good" icon={<CircleCheck size={16} />}>
          {t("ledger.verified")}
        </Notice>
      ) : (
        <Notice tone="bad" icon={<CircleAlert size={16} />}>
          <p className="font-medium">{t("ledger.wrong", { count: total })}</p>
          <ul className="mt-1 flex flex-col gap-1 font-mono text-[13px] break-words">
            {problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
          {total > problems.length && (
            <p className="mt-1">{t("ledger.moreProblems", { count: total - problems.length })}</p>
          )}
        </Notice>
      )}
      <dl className="grid grid-cols-2 gap-x-6 gap-y-2 sm:grid-cols-5">
        {COUNTS.map((name) => (
          <div key={name}>
            <dt className="text-[13px] text-muted">{t(`ledger.count_${name}`)}</dt>
            <dd className="font-medium tabular-nums">{formatNumber(verification[name], locale)}</dd>
          </div>
        ))}
      </dl>
      <p className="text-[13px] text-muted">
        {rich("ledger.verifiedAt", {
          time: <Time at={verification.at} />,
          duration: formatDuration(verification.duration_ms, locale),
        })}
      </p>
    </div>
  );
}
