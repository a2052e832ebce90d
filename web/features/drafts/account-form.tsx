import { useQueryClient } from "@tanstack/react-query";
import { useSpeech } from "../../i18n/language.tsx";
import { api } from "../../lib/api.ts";
import { useForm } from "../../lib/form.ts";
import { useSession } from "../../lib/session.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field, Input } from "../../ui/field.tsx";
import { FormProblem } from "../../ui/form-problem.tsx";
import { Checkbox } from "../../ui/switch.tsx";

const EMPTY = {
  name: "",
  appid: "",
  secret: "",
  platform_url: "https://api.weixin.qq.com",
  author: "",
  publish_allowed: false,
};

/** Empty lines are not sent: the server has its own words for what is usual. */
function wishesOf({ publish_allowed, ...lines }: typeof EMPTY) {
  const filled = Object.entries(lines).map(([name, text]) => [name, text.trim()] as const);
  return { ...Object.fromEntries(filled.filter(([, text]) => text !== "")), publish_allowed };
}

export function AccountForm({ onClose }: { readonly onClose: () => void }) {
  const { t } = useSpeech();
  const { path } = useSession();
  const client = useQueryClient();
  const form = useForm({
    initial: EMPTY,
    check: (values) =>
      Object.fromEntries(
        (["name", "appid", "secret"] as const)
          .filter((name) => values[name].trim() === "")
          .map((name) => [name, t("errors.required")]),
      ),
    submit: async (values) => {
      await api.post(path("/public-accounts"), wishesOf(values));
      await client.invalidateQueries({ queryKey: [path("/public-accounts")] });
      onClose();
    },
  });
  const { values, errors, set } = form;
  const footer = (
    <>
      <Button onClick={onClose}>{t("words.back")}</Button>
      <Button kind="primary" type="submit" form="public-account" busy={form.busy}>
        {t("drafts.addAccount")}
      </Button>
    </>
  );
  return (
    <Dialog
      stays
      open
      onClose={onClose}
      title={t("drafts.addAccountTitle")}
      description={t("drafts.accountsHint")}
      footer={footer}
    >
      <form id="public-account" onSubmit={form.onSubmit} className="flex flex-col gap-4" noValidate>
        <Credentials form={form} />
        <Field
          label={t("drafts.platformUrl")}
          hint={t("drafts.platformUrlHint")}
          error={errors.platform_url}
        >
          <Input
            type="url"
            placeholder="https://"
            value={values.platform_url}
            onValueChange={(text) => set("platform_url", text)}
          />
        </Field>
        <Field
          label={t("drafts.defaultAuthor")}
          optional={t("words.optional")}
          error={errors.author}
        >
          <Input value={values.author} onValueChange={(text) => set("author", text)} />
        </Field>
        <Checkbox
          checked={values.publish_allowed}
          label={t("drafts.allowPublish")}
          onChange={(allowed) => set("publish_allowed", allowed)}
        />
        <FormProblem words={form.problem} />
      </form>
    </Dialog>
  );
}

interface CredentialsProps {
  readonly form: ReturnType<typeof useForm<typeof EMPTY>>;
}

function Credentials({ form: { values, errors, set } }: CredentialsProps) {
  const { t } = useSpeech();
  return (
    <>
      <Field label={t("drafts.accountName")} hint={t("drafts.accountNameHint")} error={errors.name}>
        <Input value={values.name} onValueChange={(text) => set("name", text)} />
      </Field>
      <Field label={t("drafts.appid")} error={errors.appid}>
        <Input
          mono
          placeholder="wx…"
          value={values.appid}
          onValueChange={(text) => set("appid", text)}
        />
      </Field>
      <Field label={t("drafts.secret")} hint={t("drafts.secretHint")} error={errors.secret}>
        <Input
          mono
          type="password"
          autoComplete="off"
          value={values.secret}
          onValueChange={(text) => set("secret", text)}
        />
      </Field>
    </>
  );
}
