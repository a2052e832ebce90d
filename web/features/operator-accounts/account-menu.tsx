import { Ban, CircleDollarSign, Ellipsis, Pencil, Play, ScrollText } from "lucide-react";
import { useState } from "react";
import { useSpeech } from "../../i18n/language.tsx";
import { api } from "../../lib/api.ts";
import { Link } from "../../lib/link.tsx";
import { useChange } from "../../lib/queries.ts";
import { IconButton } from "../../ui/button.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { Menu, MenuItem, MenuSeparator } from "../../ui/menu.tsx";
import { useToast } from "../../ui/toast.tsx";
import { AccountDialog } from "./account-dialog.tsx";
import { ACCOUNTS, type OperatorAccount } from "./contract.ts";
import { CreditDialog } from "./credit-dialog.tsx";

interface AccountProps {
  readonly account: OperatorAccount;
}

type Open = "credit" | "edit" | "suspend";

function useEnabling({ account }: AccountProps, onDone: () => void) {
  const { t } = useSpeech();
  const toast = useToast();
  const { id, name } = account;
  const change = useChange(
    (enabled: boolean) => api.patch<OperatorAccount>(`${ACCOUNTS}/${id}`, { enabled }),
    {
      refresh: [ACCOUNTS],
      onDone: ({ enabled }) => {
        onDone();
        const key = enabled ? "operatorAccounts.resumed" : "operatorAccounts.suspendedDone";
        toast.done(t(key, { name }));
      },
    },
  );
  return {
    busy: change.isPending,
    set: (enabled: boolean) => change.mutate(enabled, { onError: toast.failed }),
  };
}

export function AccountMenu({ account }: AccountProps) {
  const { t } = useSpeech();
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const enabling = useEnabling({ account }, close);
  const trigger = (
    <IconButton label={t("operatorAccounts.moreOf", { name: account.name })}>
      <Ellipsis size={16} />
    </IconButton>
  );
  return (
    <>
      <Menu trigger={trigger}>
        <MenuItem icon={<CircleDollarSign size={15} />} onSelect={() => setOpen("credit")}>
          {t("operatorAccounts.credit")}
        </MenuItem>
        <MenuItem icon={<Pencil size={15} />} onSelect={() => setOpen("edit")}>
          {t("operatorAccounts.edit")}
        </MenuItem>
        <MenuItem
          icon={<ScrollText size={15} />}
          render={<Link to="/operator/audit" search={{ account: account.id }} />}
        >
          {t("operatorAccounts.audit")}
        </MenuItem>
        <MenuSeparator />
        {account.enabled ? (
          <MenuItem danger icon={<Ban size={15} />} onSelect={() => setOpen("suspend")}>
            {t("operatorAccounts.suspend")}
          </MenuItem>
        ) : (
          <MenuItem icon={<Play size={15} />} onSelect={() => enabling.set(true)}>
            {t("operatorAccounts.resume")}
          </MenuItem>
        )}
      </Menu>
      {open === "credit" && <CreditDialog account={account} onClose={close} />}
      {open === "edit" && <AccountDialog account={account} onClose={close} />}
      <Confirm
        open={open === "suspend"}
        title={t("operatorAccounts.suspendTitle", { name: account.name })}
        action={t("operatorAccounts.suspend")}
        busy={enabling.busy}
        onConfirm={() => enabling.set(false)}
        onClose={close}
      >
        {t("operatorAccounts.suspendHint")}
      </Confirm>
    </>
  );
}
