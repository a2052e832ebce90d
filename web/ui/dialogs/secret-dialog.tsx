import { Button } from "../button.tsx";
import { CopyButton, Secret } from "../code.tsx";
import { Dialog, type DialogProps } from "./dialog.tsx";

interface SecretDialogProps extends Omit<DialogProps, "stays" | "shownOnce" | "footer"> {
  readonly secret: string;
  /** Names the secret for screen readers. */
  readonly label: string;
  /** Words of the button that copies it, where they say more than "copy". */
  readonly copy?: string;
  /** Words of the button that closes the dialog. */
  readonly saved: string;
}

/** A secret that is in this dialog and nowhere else. */
export function SecretDialog(props: SecretDialogProps) {
  const { secret, label, copy, saved, children, ...dialog } = props;
  const footer = (
    <>
      <CopyButton wordy text={secret} label={copy} />
      <Button kind="primary" onClick={dialog.onClose}>
        {saved}
      </Button>
    </>
  );
  return (
    <Dialog {...dialog} shownOnce footer={footer}>
      <Secret label={label}>{secret}</Secret>
      {children}
    </Dialog>
  );
}
