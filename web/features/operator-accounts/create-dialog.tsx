import { useNavigate } from "@tanstack/react-router";
import { useRef, useState } from "react";
import type { NewInvitation } from "../../../src/accounts/contract/invitations.ts";
import type { OperatorAccount } from "../../../src/console/operator/contract/accounts.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { api } from "../../lib/api.ts";
import { useForm } from "../../lib/form.ts";
import { useRefresh } from "../../lib/queries.ts";
import { Button } from "../../ui/button.tsx";
import { CopyButton, Secret } from "../../ui/code.tsx";
import { Dialog } from "../../ui/dialogs/dialog.tsx";
import { FormDialog } from "../../ui/dialogs/form-dialog.tsx";
import { AccountFields } from "./account-fields.tsx";
import { ACCOUNTS, homeOf } from "./paths.ts";
import { PeopleFields } from "./people-fields.tsx";
import { badPeople, type PersonWish, wishedPeople } from "./people-form.ts";

interface Made {
  readonly account: OperatorAccount;
  readonly invitations: readonly NewInvitation[];
}

const NOBODY: PersonWish = { email: "", role: "owner" };
const EMPTY = { name: "", hard: false, people: [NOBODY] as readonly PersonWish[] };

/** Makes what is not made yet: after a refusal halfway, trying again goes on from there. */
function useMaking() {
  const done = useRef<Made>(undefined);
  return async ({ name, hard, people }: typeof EMPTY): Promise<Made> => {
    let made: Made = done.current ?? {
      account: await api.post<OperatorAccount>(ACCOUNTS, { name: name.trim(), hard }),
      invitations: [],
    };
    done.current = made;
    const path = `/api/accounts/${made.account.id}/invitations`;
    for (const person of wishedPeople(people)) {
      if (made.invitations.some(({ email }) => email === person.email.toLowerCase())) continue;
      const invitation = await api.post<NewInvitation>(path, person);
      made = { ...made, invitations: [...made.invitations, invitation] };
      done.current = made;
    }
    return made;
  };
}

/** First the account and its people, then the links that nobody has mailed. */
export function CreateDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useSpeech();
  const [made, setMade] = useState<Made>();
  const refresh = useRefresh();
  const make = useMaking();
  const form = useForm({
    initial: EMPTY,
    check: ({ name, people }) => ({
      ...(name.trim() === "" && { name: t("errors.required") }),
      ...(badPeople(people).length > 0 && { people: t("team.badEmail") }),
    }),
    submit: async (values) => {
      try {
        setMade(await make(values));
      } finally {
        await refresh([ACCOUNTS, "/api/operator/audit"]);
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
