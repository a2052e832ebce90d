import { useState } from "react";
import type { CreatedKey, Key } from "../../../../src/console/contract/keys.ts";
import { useSpeech } from "../../../i18n/language.tsx";
import { api } from "../../../lib/api.ts";
import { useForm } from "../../../lib/form.ts";
import { useSession } from "../../../lib/session.tsx";
import type { Closes } from "../../../ui/dialogs/dialog.tsx";
import { FormDialog } from "../../../ui/dialogs/form-dialog.tsx";
import { Field } from "../../../ui/field.tsx";
import { Select } from "../../../ui/select.tsx";
import { SecretDialog } from "./secret-dialog.tsx";

/** In seconds. */
const OVERLAPS = ["86400", "3600", "604800", "2592000", "0"] as const;

/** Another secret for the same key: first how long the old one works on, then the new one. */
export function RotateDialog({ item, onClose }: Closes & { readonly item: Key }) {
  const { t } = useSpeech();
  const { path } = useSession();
  const [rotated, setRotated] = useState<CreatedKey>();
  const form = useForm({
    initial: { overlap_seconds: OVERLAPS[0] as (typeof OVERLAPS)[number] },
    submit: ({ overlap_seconds }) => {
      const body = { overlap_seconds: Number(overlap_seconds) };
      return api.post<CreatedKey>(path(`/keys/${item.id}/rotate`), body);
    },
    onDone: setRotated,
    refresh: [path("/keys")],
  });
  const { overlap_seconds } = form.values;
  if (rotated) return <SecretDialog created={rotated} onClose={onClose} />;
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={t("keys.rotateTitle", { name: item.name })}
      description={t("keys.rotateHint")}
      action={t("keys.rotate")}
    >
      <Field
        label={t("keys.overlap", { ending: item.last_four })}
        hint={overlap_seconds === "0" ? t("keys.overlapNoneHint") : t("keys.overlapHint")}
        error={form.errors.overlap_seconds}
      >
        <Select
          value={overlap_seconds}
          choices={OVERLAPS.map((value) => ({ value, label: t(`keys.overlap_${value}`) }))}
          onChange={(value) => form.set("overlap_seconds", value)}
        />
      </Field>
    </FormDialog>
  );
}
