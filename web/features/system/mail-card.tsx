import { Send } from "lucide-react";
import { useState } from "react";
import type { SystemFacts } from "../../../src/console/operator/contract/system.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { api } from "../../lib/api.ts";
import { isMailAddress } from "../../lib/checks.ts";
import { useErrorWords } from "../../lib/error-words.ts";
import { useForm } from "../../lib/form.ts";
import { useResource } from "../../lib/queries.ts";
import { useSession } from "../../lib/session.tsx";
import { Notice } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { FormProblem } from "../../ui/dialogs/form-problem.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { TextField } from "../../ui/text-field.tsx";

/** By which server mail goes, and whether it arrives. */
export function MailCard() {
  const { t } = useSpeech();
  const wordsOf = useErrorWords();
  const { data, error } = useResource<SystemFacts>("/api/operator/system");
  return (
    <Card title={t("system.mail")}>
      {error && !data && <FormProblem words={wordsOf(error)} />}
      {!data && !error && <Skeleton className="h-24 w-full" />}
      {data && (data.mail ? <MailTest mail={data.mail} /> : <NoMail />)}
    </Card>
  );
}

function NoMail() {
  const { rich, t } = useSpeech();
  const code = (text: string) => (
    <code key={text} className="font-mono text-[13px]">
      {text}
    </code>
  );
  return (
    <div className="flex flex-col gap-2 text-sm">
      <p className="font-medium">{t("system.mailOff")}</p>
      <p className="text-muted">
        {rich("system.mailOffHint", {
          url: code("FAREGATE_SMTP_URL"),
          from: code("FAREGATE_MAIL_FROM"),
        })}
      </p>
    </div>
  );
}

function MailTest({ mail }: { readonly mail: NonNullable<SystemFacts["mail"]> }) {
  const { t } = useSpeech();
  const { me } = useSession();
  const [sentTo, setSentTo] = useState<string>();
  const form = useForm({
    initial: { to: me.user.email },
    check: ({ to }) => (isMailAddress(to.trim()) ? {} : { to: t("team.badEmail") }),
    submit: async ({ to }) => {
      setSentTo(undefined);
      await api.post("/api/operator/mail/test", { to: to.trim() });
      setSentTo(to.trim());
    },
  });
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={form.onSubmit}>
      <p className="text-sm break-words text-muted">
        {t("system.mailBy", { server: mail.server, from: mail.from })}
      </p>
      <FormProblem words={form.problem} />
      <div className="flex flex-wrap items-end gap-2">
        <TextField
          form={form}
          name="to"
          label={t("system.mailTo")}
          className="min-w-0 flex-1 basis-60 sm:max-w-80"
          type="email"
          maxLength={254}
        />
        <Button type="submit" busy={form.busy}>
          <Send size={15} />
          {t("system.mailSend")}
        </Button>
      </div>
      <div aria-live="polite">
        {sentTo !== undefined && (
          <Notice tone="good">{t("system.mailSent", { server: mail.server, to: sentTo })}</Notice>
        )}
      </div>
    </form>
  );
}
