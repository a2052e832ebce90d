import { useSpeech } from "../../i18n/language.tsx";
import { useForm } from "../../lib/form.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field, Input } from "../../ui/field.tsx";

interface PictureUrlDialogProps {
  readonly title: string;
  readonly onDone: (url: string) => void;
  readonly onClose: () => void;
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
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
  const footer = (
    <>
      <Button onClick={onClose}>{t("words.cancel")}</Button>
      <Button kind="primary" type="submit" form="picture-url">
        {t("drafts.use")}
      </Button>
    </>
  );
  return (
    <Dialog open onClose={onClose} title={title} footer={footer}>
      <form id="picture-url" onSubmit={form.onSubmit} noValidate>
        <Field label={t("drafts.pictureUrl")} error={form.errors.url}>
          <Input
            type="url"
            placeholder="https://"
            value={form.values.url}
            onValueChange={(url) => form.set("url", url)}
          />
        </Field>
      </form>
    </Dialog>
  );
}
