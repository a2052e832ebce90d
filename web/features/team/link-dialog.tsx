import { useSpeech } from "../../i18n/language.tsx";
import { Button } from "../../ui/button.tsx";
import { CopyButton, Secret } from "../../ui/code.tsx";
import { Dialog } from "../../ui/dialogs/dialog.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";

interface LinkDialogProps {
  readonly title: string;
  readonly description: string;
  /** Null where it went by mail; undefined while it is asked for. */
  readonly link: string | null | undefined;
  readonly onClose: () => void;
}

/** The link of an invitation, for whoever hands it over. */
export function LinkDialog({ title, description, link, onClose }: LinkDialogProps) {
  const { t } = useSpeech();
  const footer = (
    <>
      {link && <CopyButton wordy text={link} label={t("team.copyLink")} />}
      <Button kind="primary" onClick={onClose}>
        {t("words.done")}
      </Button>
    </>
  );
  return (
    <Dialog {...{ onClose, title, description, footer }} stays shownOnce={typeof link === "string"}>
      {link === undefined && <Skeleton className="h-16 w-full" />}
      {link && <Secret label={t("team.linkLabel")}>{link}</Secret>}
    </Dialog>
  );
}
