import { useSpeech } from "../../../i18n/language.tsx";
import { isWebAddress } from "../../../lib/checks.ts";
import { useForm } from "../../../lib/form.ts";
import { FormDialog } from "../../../ui/dialogs/form-dialog.tsx";
import { TextField } from "../../../ui/text-field.tsx";

interface PictureUrlDialogProps {
  readonly title: string;
  readonly onDone: (url: string) => void;
  readonly onClose: () => void;
}

export function PictureUrlDialog({ title, onDone, onClose }: PictureUrlDialogProps) {
  const { t } = useSpeech();
  const form = useForm({
    initial: { url: "" },
    check: ({ url }) => (isWebAddress(url.trim()) ? {} : { url: t("drafts.pictureUrlBad") }),
    submit: async ({ url }) => {
      onDone(url.trim());
      onClose();
    },
  });
  return (
    <FormDialog form={form} onClose={onClose} title={title} action={t("drafts.use")}>
      <TextField
        form={form}
        name="url"
        label={t("drafts.pictureUrl")}
        type="url"
        placeholder="https://"
      />
    </FormDialog>
  );
}
