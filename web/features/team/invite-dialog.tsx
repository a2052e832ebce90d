import { useState } from "react";
import type { NewInvitation } from "../../../src/accounts/contract/invitations.ts";
import type { Role } from "../../../src/accounts/contract/members.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { api } from "../../lib/api.ts";
import { isMailAddress } from "../../lib/checks.ts";
import { useForm } from "../../lib/form.ts";
import { useSession } from "../../lib/session.tsx";
import type { Closes } from "../../ui/dialogs/dialog.tsx";
import { FormDialog } from "../../ui/dialogs/form-dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Select } from "../../ui/select.tsx";
import { Checkbox } from "../../ui/switch.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { LinkDialog } from "./link-dialog.tsx";
import { ROLES } from "./roles.ts";

interface Whom {
  readonly email: string;
  readonly role: Role;
  readonly operator: boolean;
}

const NOBODY: Whom = { email: "", role: "member", operator: false };

interface InviteDialogProps extends Closes {
  readonly housesOperators: boolean;
}

/** First whom, then the link, which is in this dialog or in a mail. */
export function InviteDialog({ housesOperators, onClose }: InviteDialogProps) {
  const { t } = useSpeech();
  const { me, path } = useSession();
  const [made, setMade] = useState<NewInvitation>();
  const form = useForm({
    initial: NOBODY,
    check: ({ email }) => (isMailAddress(email.trim()) ? {} : { email: t("team.badEmail") }),
    submit: ({ email, role, operator }) => {
      const body = { email: email.trim(), role, ...(operator && { operator }) };
      return api.post<NewInvitation>(path("/invitations"), body);
    },
    onDone: setMade,
    refresh: [path("/invitations")],
  });
  const { values, errors, set } = form;
  if (made) {
    return (
      <LinkDialog
        title={t("team.linkTitle", { email: made.email })}
        description={t(made.token_link === null ? "team.mailedHint" : "team.linkHint")}
        link={made.token_link}
        onClose={onClose}
      />
    );
  }
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={t("team.inviteTitle")}
      description={t("team.inviteHint")}
      action={t("team.sendInvite")}
    >
      <TextField
        form={form}
        name="email"
        label={t("team.email")}
        autoFocus
        type="email"
        maxLength={254}
        placeholder={t("team.emailPlaceholder")}
      />
      <Field label={t("team.role")} hint={t(`team.roleHint_${values.role}`)} error={errors.role}>
        <Select
          value={values.role}
          choices={ROLES.map((value) => ({ value, label: t(`team.role_${value}`) }))}
          onChange={(value) => set("role", value)}
        />
      </Field>
      {me.operator && housesOperators && (
        <Checkbox
          label={t("team.asOperator")}
          hint={t("team.asOperatorHint")}
          checked={values.operator}
          onChange={(value) => set("operator", value)}
        />
      )}
    </FormDialog>
  );
}
