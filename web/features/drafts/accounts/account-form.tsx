import { useSpeech } from "../../../i18n/language.tsx";
import { api } from "../../../lib/api.ts";
import { useForm } from "../../../lib/form.ts";
import { useRefresh } from "../../../lib/queries.ts";
import { useSession } from "../../../lib/session.tsx";
import { FormDialog } from "../../../ui/dialogs/form-dialog.tsx";
import { Checkbox } from "../../../ui/switch.tsx";
import { TextField } from "../../../ui/text-field.tsx";
import { useToast } from "../../../ui/toasts/toast.tsx";
import {
  AccountCredentials,
  type AccountValues,
  bodyOf,
  EMPTY_ACCOUNT,
  missingFields,
} from "./account-credentials.tsx";

export function AccountForm({ onClose }: { readonly onClose: () => void }) {
  const { t } = useSpeech();
  const { path } = useSession();
  const refresh = useRefresh();
  const toast = useToast();
  const form = useForm<AccountValues>({
    initial: EMPTY_ACCOUNT,
    check: (values) =>
      Object.fromEntries(missingFields(values).map((name) => [name, t("errors.required")])),
    submit: async (values) => {
      await api.post(path("/public-accounts"), bodyOf(values));
      refresh([path("/public-accounts")]);
      toast.done(t("drafts.accountAdded", { name: values.name.trim() }));
      onClose();
    },
  });
  const { values, set } = form;
  return (
    <FormDialog
      form={form}
      stays
      onClose={onClose}
      title={t("drafts.addAccountTitle")}
      description={t("drafts.accountsHint")}
      action={t("drafts.addAccount")}
      back={t("words.back")}
      problemLast
    >
      <AccountCredentials form={form} />
      <Places form={form} />
      <Checkbox
        checked={values.is_default}
        label={t("drafts.makeDefaultNew")}
        hint={t("drafts.makeDefaultNewHint")}
        onChange={(isDefault) => set("is_default", isDefault)}
      />
      <Checkbox
        checked={values.publish_allowed}
        label={t("drafts.allowPublish")}
        onChange={(allowed) => set("publish_allowed", allowed)}
      />
    </FormDialog>
  );
}

/** Where it is, by which way it is called, and whose name stands below its articles. */
function Places({ form }: { readonly form: ReturnType<typeof useForm<AccountValues>> }) {
  const { t } = useSpeech();
  return (
    <>
      <TextField
        form={form}
        name="platform_url"
        label={t("drafts.platformUrl")}
        hint={t("drafts.platformUrlHint")}
        optional
        type="url"
        placeholder="https://api.weixin.qq.com"
      />
      <TextField
        form={form}
        name="proxy_url"
        label={t("drafts.proxyUrl")}
        hint={t("drafts.proxyUrlHint")}
        optional
        mono
        autoComplete="off"
      />
      <TextField form={form} name="author" label={t("drafts.defaultAuthor")} optional />
    </>
  );
}
