import type { CodeBatch } from "../../../src/payments/contract/codes.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import type { DemandedMenuProps } from "../../ui/menu-on-demand.tsx";
import { BATCHES } from "./batches.ts";

interface FilesMenuProps extends DemandedMenuProps {
  readonly batch: CodeBatch;
}

/** The server sends them with a name to be saved under. */
export function FilesMenu({ trigger, batch }: FilesMenuProps) {
  const { t } = useSpeech();
  const file = `${BATCHES}/${batch.id}.csv`;
  return (
    <Menu opens trigger={trigger}>
      <MenuItem render={<a href={file} download />}>{t("codes.csvAll")}</MenuItem>
      <MenuItem render={<a href={`${file}?unused`} download />}>{t("codes.csvUnused")}</MenuItem>
    </Menu>
  );
}
