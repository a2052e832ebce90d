import { Ellipsis } from "lucide-react";
import { useState } from "react";
import type { OperatorAccount } from "../../../src/console/operator/contract/accounts.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { api } from "../../lib/api.ts";
import { lazyPart } from "../../lib/lazy-part.tsx";
import { Button, IconButton } from "../../ui/button.tsx";
import { Confirm } from "../../ui/dialogs/confirm.tsx";
import { MenuOnDemand } from "../../ui/menu-on-demand.tsx";
import { useAction } from "../../ui/toasts/toast.tsx";
import { ACCOUNTS } from "./paths.ts";

const AccountDialog = lazyPart(() => import("./account-dialog.tsx"), "AccountDialog");
const AccountMenu = lazyPart(() => import("./account-menu.tsx"), "AccountMenu");
const MoneyDialog = lazyPart(() => import("./money-dialog.tsx"), "MoneyDialog");

interface AccountActionsProps {
  readonly account: OperatorAccount;
  /** As buttons with words, where there is room for them. */
  readonly wordy?: boolean;
}

/** What the menu opens. */
export type AccountAction = "credit" | "edit" | "suspend";

export function AccountActions({ account, wordy }: AccountActionsProps) {
  const { t } = useSpeech();
  const { id, name } = account;
  const [open, setOpen] = useState<AccountAction>();
  const close = () => setOpen(undefined);
  const enabling = useAction(
    (enabled: boolean) => api.patch<OperatorAccount>(`${ACCOUNTS}/${id}`, { enabled }),
    {
      refresh: [ACCOUNTS],
      onDone: close,
      done: ({ enabled }) =>
        t(enabled ? "operatorAccounts.resumed" : "operatorAccounts.suspendedDone", { name }),
    },
  );
  const resume = () => enabling.run(true);
  const trigger = (
    <IconButton label={t("operatorAccounts.moreOf", { name })}>
      <Ellipsis size={16} />
    </IconButton>
  );
  return (
    <>
      {wordy ? (
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => setOpen("edit")}>{t("operatorAccounts.edit")}</Button>
          {account.enabled ? (
            <Button onClick={() => setOpen("suspend")}>{t("operatorAccounts.suspend")}</Button>
          ) : (
            <Button busy={enabling.unseen} onClick={resume}>
              {t("operatorAccounts.resume")}
            </Button>
          )}
        </div>
      ) : (
        <MenuOnDemand
          trigger={trigger}
          menu={(drawn) => (
            <AccountMenu trigger={drawn} account={account} onOpen={setOpen} onResume={resume} />
          )}
        />
      )}
      {open === "credit" && <MoneyDialog account={account} move="credit" onClose={close} />}
      {open === "edit" && <AccountDialog account={account} onClose={close} />}
      <Confirm
        open={open === "suspend"}
        title={t("operatorAccounts.suspendTitle", { name })}
        action={t("operatorAccounts.suspend")}
        busy={enabling.busy}
        onConfirm={() => enabling.run(false)}
        onClose={close}
      >
        {t("operatorAccounts.suspendHint")}
      </Confirm>
    </>
  );
}
