import { Plus } from "lucide-react";
import { useState } from "react";
import type { Diagnosis, PublicAccount } from "../../../../src/drafts/contract/public-account.ts";
import { useSpeech } from "../../../i18n/language.tsx";
import { api } from "../../../lib/api.ts";
import { useRows } from "../../../lib/queries.ts";
import { useSession } from "../../../lib/session.tsx";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { Asked } from "../../../ui/dialogs/confirm.tsx";
import { Dialog } from "../../../ui/dialogs/dialog.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { useAction } from "../../../ui/toasts/toast.tsx";
import { AccountForm } from "./account-form.tsx";
import { DoctorReport } from "./doctor-report.tsx";

/** The public accounts, and the form for another one in the same dialog. */
export function AccountsDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useSpeech();
  const { path, may } = useSession();
  const accounts = useRows<PublicAccount>(path("/public-accounts")).data;
  const [isAdding, setAdding] = useState(false);
  if (isAdding) return <AccountForm onClose={() => setAdding(false)} />;
  const footer = may("owner") && (
    <Button kind="primary" onClick={() => setAdding(true)}>
      <Plus size={15} />
      {t("drafts.addAccount")}
    </Button>
  );
  return (
    <Dialog
      wide
      onClose={onClose}
      title={t("drafts.accountsTitle")}
      description={t("drafts.accountsHint")}
      footer={footer}
    >
      {accounts ? (
        <ul className="flex min-h-60 flex-col gap-3">
          {accounts.map((account) => (
            <AccountCard key={account.id} account={account} />
          ))}
        </ul>
      ) : (
        <Skeleton className="h-60 w-full rounded-lg" />
      )}
    </Dialog>
  );
}

function AccountCard({ account }: { readonly account: PublicAccount }) {
  const { t } = useSpeech();
  const { path, may } = useSession();
  const address = path(`/public-accounts/${account.id}`);
  const refresh = [path("/public-accounts")];
  const examine = useAction(() => api.post<Diagnosis>(`${address}/doctor`));
  const choose = useAction(() => api.patch(address, { is_default: true }), { refresh });
  return (
    <li className="rounded-lg border border-line p-3.5">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0">
          <p className="flex flex-wrap items-center gap-2 font-medium">
            <span className="break-all">{account.name}</span>
            {account.kind === "built-in" && <Badge tone="accent">{t("drafts.sandbox")}</Badge>}
            {account.is_default && <Badge>{t("drafts.default")}</Badge>}
            {account.credential !== "secret" && (
              <Badge>{t(`drafts.credential_${account.credential}`)}</Badge>
            )}
          </p>
          <p className="mt-0.5 font-mono text-xs break-all text-muted">
            {account.appid}
            {account.platform_url && ` · ${account.platform_url}`}
            {account.proxy && ` · ${t("drafts.byProxy", { proxy: account.proxy })}`}
            {account.token_source &&
              ` · ${t("drafts.tokenFrom", { source: account.token_source })}`}
          </p>
        </div>
        <div className="flex flex-wrap gap-2">
          {may("member") && (
            <Button size="small" busy={examine.busy} onClick={() => examine.run()}>
              {t("drafts.doctor")}
            </Button>
          )}
          {may("owner") && !account.is_default && (
            <>
              <Button size="small" busy={choose.unseen} onClick={() => choose.run()}>
                {t("drafts.makeDefault")}
              </Button>
              <RemoveAccount account={account} />
            </>
          )}
        </div>
      </div>
      {examine.data && <DoctorReport diagnosis={examine.data} />}
    </li>
  );
}

function RemoveAccount({ account }: { readonly account: PublicAccount }) {
  const { t } = useSpeech();
  const { path } = useSession();
  return (
    <Asked
      button={{ kind: "danger", size: "small" }}
      title={t("drafts.removeAccountTitle", { name: account.name })}
      action={t("drafts.removeAccount")}
      call={() => api.delete(path(`/public-accounts/${account.id}`))}
      refresh={[path("/public-accounts")]}
    >
      {t("drafts.removeAccountHint")}
    </Asked>
  );
}
