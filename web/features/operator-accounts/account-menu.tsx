import { Ban, CircleDollarSign, Pencil, Play, ScrollText } from "lucide-react";
import type { OperatorAccount } from "../../../src/console/operator/contract/accounts.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { Link } from "../../lib/link.tsx";
import { Menu, MenuItem, MenuSeparator } from "../../ui/menu.tsx";
import type { DemandedMenuProps } from "../../ui/menu-on-demand.tsx";
import type { AccountAction } from "./account-actions.tsx";
import { homeOf } from "./paths.ts";

interface AccountMenuProps extends DemandedMenuProps {
  readonly account: OperatorAccount;
  readonly onOpen: (action: AccountAction) => void;
  readonly onResume: () => void;
}

export function AccountMenu({ trigger, account, onOpen, onResume }: AccountMenuProps) {
  const { t } = useSpeech();
  return (
    <Menu opens trigger={trigger}>
      <MenuItem icon={<CircleDollarSign size={15} />} onSelect={() => onOpen("credit")}>
        {t("operatorAccounts.credit")}
      </MenuItem>
      <MenuItem icon={<Pencil size={15} />} onSelect={() => onOpen("edit")}>
        {t("operatorAccounts.edit")}
      </MenuItem>
      <MenuItem
        icon={<ScrollText size={15} />}
        render={<Link to={`${homeOf(account.id)}/audit`} />}
      >
        {t("operatorAccounts.audit")}
      </MenuItem>
      <MenuSeparator />
      {account.enabled ? (
        <MenuItem danger icon={<Ban size={15} />} onSelect={() => onOpen("suspend")}>
          {t("operatorAccounts.suspend")}
        </MenuItem>
      ) : (
        <MenuItem icon={<Play size={15} />} onSelect={onResume}>
          {t("operatorAccounts.resume")}
        </MenuItem>
      )}
    </Menu>
  );
}
