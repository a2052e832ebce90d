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

interface AccountProps {
  readonly account: OperatorAccount;
}

interface AccountActionsProps extends AccountProps {
  /** As buttons with words, where there is room for them. */
  readonly wordy?: boolean;
}

/** What the menu opens. */
export type AccountAction = "credit" | "edit" | "suspend";

function useEnabling({ account }: AccountProps, onDone: () => void) {
  const { t } = useSpeech();
  const { id, name } = account;
  return useAction(
    (enabled: boolean) => api.patch<OperatorAccount>(`${ACCOUNTS}/${id}`, { enabled }),
    {
      refresh: [ACCOUNTS],
      onDone,
      done: ({ enabled }) =>
        t(enabled ? "operatorAccounts.resumed" : "operatorAccounts.suspendedDone", { name }),
    },
  );
}

export function AccountActions({ account, wordy }: AccountActionsProps) {
  const { t } = useSpeech();
  const [open, setOpen] = useState<AccountAction>();
  const close = () => setOpen(undefined);
  const enabling = useEnabling({ account }, close);
  const trigger = (
    <IconButton label={t("operatorAccounts.moreOf", { name: account.name })}>
      <Ellipsis size={16} />
    </IconButton>
  );
  return (
    <>
      {wordy ? (
        <WordyActions
          account={account}
          onOpen={setOpen}
          busy={enabling.busy}
          onResume={() => enabling.run(true)}
        />
      ) : (
        <MenuOnDemand
          trigger={trigger}
          menu={(drawn) => (
            <AccountMenu
              trigger={drawn}
              account={account}
              onOpen={setOpen}
              onResume={() => enabling.run(true)}
            />
          )}
        />
      )}
      {open === "credit" && <MoneyDialog account={account} move="credit" onClose={close} />}
      {open === "edit" && <AccountDialog account={account} onClose={close} />}
      <Confirm
        open={open === "suspend"}
        title={t("operatorAccounts.suspendTitle", { name: account.name })}
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

interface WordyActionsProps extends AccountProps {
  readonly busy: boolean;
  readonly onOpen: (action: AccountAction) => void;
  readonly onResume: () => void;
}

function WordyActions({ account, busy, onOpen, onResume }: WordyActionsProps) {
  const { t } = useSpeech();
  return (
    <div className="flex flex-wrap gap-2">
      <Button onClick={() => onOpen("edit")}>{t("operatorAccounts.edit")}</Button>
      {account.enabled ? (
        <Button onClick={() => onOpen("suspend")}>{t("operatorAccounts.suspend")}</Button>
      ) : (
        <Button busy={busy} onClick={onResume}>
          {t("operatorAccounts.resume")}
        </Button>
      )}
    </div>
  );
}
