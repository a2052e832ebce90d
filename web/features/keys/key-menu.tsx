import { Pencil, RefreshCw, Trash2 } from "lucide-react";
import { useSpeech } from "../../i18n/language.tsx";
import { Menu, MenuItem, MenuSeparator } from "../../ui/menu.tsx";
import type { DemandedMenuProps } from "../../ui/menu-on-demand.tsx";
import type { KeyAction } from "./key-actions.tsx";

interface KeyMenuProps extends DemandedMenuProps {
  readonly onChoose: (action: KeyAction) => void;
}

export function KeyMenu({ trigger, onChoose }: KeyMenuProps) {
  const { t } = useSpeech();
  return (
    <Menu opens trigger={trigger}>
      <MenuItem icon={<Pencil size={15} />} onSelect={() => onChoose("edit")}>
        {t("keys.edit")}
      </MenuItem>
      <MenuItem icon={<RefreshCw size={15} />} onSelect={() => onChoose("rotate")}>
        {t("keys.rotate")}
      </MenuItem>
      <MenuSeparator />
      <MenuItem danger icon={<Trash2 size={15} />} onSelect={() => onChoose("delete")}>
        {t("keys.delete")}
      </MenuItem>
    </Menu>
  );
}
