import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useSpeech } from "../../i18n/language.tsx";
import { useForm } from "../../lib/form.ts";
import { useRefresh } from "../../lib/queries.ts";
import { Button } from "../../ui/button.tsx";
import { CopyButton, Secret } from "../../ui/code.tsx";
import { Dialog } from "../../ui/dialogs/dialog.tsx";
import { FormDialog } from "../../ui/dialogs/form-dialog.tsx";
import { AccountFields } from "./account-fields.tsx";
import { badAccount } from "./account-form.ts";
import { type AccountForm, type Made, Making } from "./making.ts";
import { ACCOUNTS, homeOf } from "./paths.ts";
import { PeopleFields } from "./people-fields.tsx";
import { badPeople, type PersonForm } from "./people-form.ts";

const NOBODY: PersonForm = { email: "", role: "owner" };
const EMPTY: AccountForm = { name: "", hard: false, overdraft: "0", people: [NOBODY] };

/** First the account and its people, then the links that nobody has mailed. */
export function CreateDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useSpeech();
  const [made, setMade] = useState<Made>();
  const refresh = useRefresh();
  const [making] = useState(() => new Making());
  const form = useForm({
    initial: EMPTY,
    check: ({ people, ...account }) => ({
      ...badAccount(account, t),
      ...(badPeople(people).length > 0 && { people: t("team.badEmail") }),
    }),
    submit: async (values) => {
      try {
        setMade(await making.make(values));
      } finally {
        refresh([ACCOUNTS, "/api/operator/audit"]);
      }
    },
  });
  if (made) return <MadeDialog made={made} onClose={onClose} />;
  return (
    <FormDialog
      form={form}
      stays
      onClose={onClose}
      title={t("operatorAccounts.createTitle")}
      description={t("operatorAccounts.createHint")}
      action={t("operatorAccounts.create")}
    >
      <AccountFields form={form} />
      <PeopleFields
        people={form.values.people}
        problem={form.errors.people}
        onChange={(people) => form.set("people", people)}
      />
    </FormDialog>
  );
}

function MadeDialog({ made, onClose }: { readonly made: Made; readonly onClose: () => void }) {
  const { t } = useSpeech();
  const navigate = useNavigate();
  const { account, invitations } = made;
  const byHand = invitations.some(({ token_link }) => token_link !== null);
  const footer = (
    <>
      <Button onClick={onClose}>{t("words.close")}</Button>
      <Button kind="primary" onClick={() => void navigate({ to: homeOf(account.id) })}>
        {t("operatorAccounts.open")}
      </Button>
    </>
  );
  return (
    <Dialog
      stays
      shownOnce={byHand}
      onClose={onClose}
      title={t("operatorAccounts.created", { name: account.name })}
      description={byHand ? t("team.linkHint") : t("operatorAccounts.createdHint")}
      footer={footer}
    >
      <ul className="flex flex-col gap-3">
        {invitations.map(({ id, email, role, token_link: link }) => (
          <li key={id} className="text-sm">
            <p className="mb-1 flex items-center justify-between gap-3">
              <span className="min-w-0 break-all">
                <span className="font-medium">{email}</span>{" "}
                <span className="text-muted">{t(`team.role_${role}`)}</span>
              </span>
              {link && <CopyButton text={link} label={t("team.linkOf", { email })} />}
            </p>
            {link === null ? (
              <p className="text-muted">{t("team.mailedHint")}</p>
            ) : (
              <Secret label={t("team.linkOf", { email })}>{link}</Secret>
            )}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
