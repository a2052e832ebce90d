import { CloudOff, X } from "lucide-react";
import { useState } from "react";
import { createPortal } from "react-dom";
import { useSpeech } from "../i18n/language.tsx";
import type { PartAwayProps } from "../lib/lazy-part.tsx";
import { reloadDocument } from "../lib/loaded.ts";
import { useServerBack } from "../lib/recovery.ts";
import { Button, IconButton } from "../ui/button.tsx";

/**
 * Says above the page that a dialog or a drawer did not come, and when it can be had. The page stays as it is, with all
 * that was typed there. A browser does not ask again for a module that it has missed, so the document must be loaded again.
 */
export function PartAway({ onClose }: PartAwayProps) {
  const { t } = useSpeech();
  const [isBack, setIsBack] = useState(false);
  const [isDismissed, setIsDismissed] = useState(false);
  useServerBack(!isBack, () => setIsBack(true));
  if (isDismissed) return null;
  return createPortal(
    <div
      role="alert"
      className="fixed inset-x-2 top-2 z-60 mx-auto flex max-w-xl items-center gap-3 rounded-lg border border-line bg-surface py-2 pr-2 pl-4 text-sm shadow-high"
    >
      <CloudOff size={16} className="shrink-0 text-muted" />
      <p className="min-w-0 flex-1">{t(isBack ? "errors.partBack" : "errors.partAway")}</p>
      {isBack && (
        <Button kind="primary" size="small" onClick={() => void reloadDocument()}>
          {t("errors.reload")}
        </Button>
      )}
      <IconButton label={t("words.close")} onClick={onClose ?? (() => setIsDismissed(true))}>
        <X size={16} />
      </IconButton>
    </div>,
    document.body,
  );
}
