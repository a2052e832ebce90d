import { Ellipsis } from "lucide-react";
import { useState } from "react";
import type { Key } from "../../../src/console/contract/keys.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { lazyPart } from "../../lib/lazy-part.tsx";
import { IconButton } from "../../ui/button.tsx";
import { MenuOnDemand } from "../../ui/menu-on-demand.tsx";

const DeleteDialog = lazyPart(() => import("./dialogs/delete-dialog.tsx"), "DeleteDialog");
const EditDialog = lazyPart(() => import("./dialogs/edit-dialog.tsx"), "EditDialog");
const KeyMenu = lazyPart(() => import("./key-menu.tsx"), "KeyMenu");
const RotateDialog = lazyPart(() => import("./dialogs/rotate-dialog.tsx"), "RotateDialog");

export type KeyAction = "edit" | "rotate" | "delete";

interface KeyDialogProps {
  readonly item: Key;
  readonly action: KeyAction | undefined;
  readonly onClose: () => void;
  readonly onDeleted?: () => void;
}

/** The dialog of what was chosen. */
export function KeyDialog({ item, action, onClose, onDeleted }: KeyDialogProps) {
  if (action === "edit") return <EditDialog item={item} onClose={onClose} />;
  if (action === "rotate") return <RotateDialog item={item} onClose={onClose} />;
  if (action === undefined) return null;
  return <DeleteDialog item={item} onClose={onClose} onDeleted={onDeleted} />;
}

/** The menu of a row. */
export function KeyRowActions({ item }: { readonly item: Key }) {
  const { t } = useSpeech();
  const [action, setAction] = useState<KeyAction>();
  const trigger = (
    <IconButton label={t("keys.actionsOf", { name: item.name })}>
      <Ellipsis size={16} />
    </IconButton>
  );
  return (
    <>
      <MenuOnDemand
        trigger={trigger}
        menu={(drawn) => <KeyMenu trigger={drawn} onChoose={setAction} />}
      />
      <KeyDialog item={item} action={action} onClose={() => setAction(undefined)} />
    </>
  );
}
