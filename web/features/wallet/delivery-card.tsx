import { useState } from "react";
import type {
  AlertChanges,
  Alerts,
  AlertTest,
  Webhook,
} from "../../../src/console/contract/alerts.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { ApiError, api } from "../../lib/api.ts";
import { errorsOf, webAddressError } from "../../lib/checks.ts";
import { useForm } from "../../lib/form.ts";
import { changed } from "../../lib/forms/changed.ts";
import { lazyPart } from "../../lib/lazy-part.tsx";
import { useSession } from "../../lib/session.tsx";
import { Notice } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { FormProblem } from "../../ui/dialogs/form-problem.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { useAction, useToast } from "../../ui/toasts/toast.tsx";
import { isOfOperators, useAlertChange } from "./alert-change.ts";
import { SettingRow } from "./setting-row.tsx";

const SecretDialog = lazyPart(() => import("../../ui/dialogs/secret-dialog.tsx"), "SecretDialog");

export function DeliveryCard({ alerts }: { readonly alerts: Alerts }) {
  const { t } = useSpeech();
  const { me, may } = useSession();
  const { run: save, busy } = useAlertChange();
  // What a webhook is signed with: here and not in the form, which is a new one once the address has changed.
  const [secret, setSecret] = useState<string>();
  const { email } = alerts;
  const missing = me.operator ? "wallet.emailMissingOperator" : "wallet.emailMissing";
  return (
    <Card title={t("wallet.channelsTitle")}>
      <div className="flex flex-col gap-5">
        <SettingRow
          label={t("wallet.email")}
          hint={t(email.configured ? "wallet.emailHint" : missing)}
          checked={email.enabled}
          disabled={!may("owner") || busy || isOfOperators(alerts, "email")}
          onChange={(enabled) => save({ email: { enabled } })}
        >
          {email.configured && <TestButton channel="email" />}
        </SettingRow>
        <hr className="border-line" />
        {/* Another address is another form: what was typed before is of no use. */}
        <WebhookForm
          key={alerts.webhook?.url ?? ""}
          webhook={alerts.webhook}
          disabled={!may("owner") || isOfOperators(alerts, "webhook")}
          onSecret={setSecret}
        />
      </div>
      {secret && (
        <SecretDialog
          onClose={() => setSecret(undefined)}
          title={t("wallet.webhookSecretTitle")}
          description={t("wallet.webhookSecretHint")}
          secret={secret}
          label={t("wallet.webhookSecret")}
          saved={t("words.done")}
        />
      )}
    </Card>
  );
}

/** A test that could not be sent is an answer of its own, not a refusal. */
function notSent(words: string): ApiError {
  return new ApiError(200, "test_not_sent", words, null);
}

function TestButton({ channel }: { readonly channel: "email" | "webhook" }) {
  const { t } = useSpeech();
  const { path, may } = useSession();
  const toast = useToast();
  const test = useAction(() => api.post<AlertTest>(path("/alerts/test"), { channel }), {
    onDone: ({ ok, error }) => {
      if (ok) toast.done(t("wallet.testSent"));
      else toast.failed(notSent(t("wallet.testFailed", { reason: error ?? "" })));
    },
  });
  if (!may("owner")) return null;
  return (
    <Button size="small" busy={test.busy} onClick={() => test.run()}>
      {t("wallet.sendTest")}
    </Button>
  );
}

function useWebhookForm(webhook: Webhook | null, onSecret: (secret: string) => void) {
  const { t } = useSpeech();
  const toast = useToast();
  const { send } = useAlertChange();
  const put = async (changes: NonNullable<AlertChanges["webhook"]>) => {
    const alerts = await send({ webhook: changes });
    if (alerts.webhook?.secret) onSecret(alerts.webhook.secret);
    else toast.done(t("wallet.autoSaved"));
  };
  const form = useForm({
    initial: { url: webhook?.url ?? "" },
    fieldOf: () => "url",
    check: ({ url }) => errorsOf({ url: webAddressError(url, t) }),
    submit: ({ url }) => put(changed({ url: url.trim() }, { url: webhook?.url ?? "" })),
  });
  const attempt = (work: Promise<unknown>) => void work.catch(toast.failed);
  return {
    form,
    renew: () => attempt(put({ new_secret: true })),
    turn: (enabled: boolean) => attempt(put({ enabled })),
    remove: () => attempt(send({ webhook: null })),
  };
}

interface WebhookFormProps {
  readonly webhook: Webhook | null;
  readonly disabled: boolean;
  readonly onSecret: (secret: string) => void;
}

function WebhookForm({ webhook, disabled, onSecret }: WebhookFormProps) {
  const { t } = useSpeech();
  const { form, renew, turn, remove } = useWebhookForm(webhook, onSecret);
  return (
    <form onSubmit={form.onSubmit} className="flex flex-col gap-4">
      {webhook ? (
        <SettingRow
          label={t("wallet.webhookOn")}
          hint={t("wallet.webhookHint")}
          checked={webhook.enabled}
          disabled={disabled}
          onChange={turn}
        />
      ) : (
        <div>
          <p className="text-sm font-medium">{t("wallet.webhook")}</p>
          <p className="text-[13px] text-muted">{t("wallet.webhookHint")}</p>
        </div>
      )}
      <WebhookHealth webhook={webhook} />
      <FormProblem words={form.problem} />
      <TextField
        form={form}
        name="url"
        label={t("wallet.webhookUrl")}
        mono
        type="url"
        placeholder="https://example.com/hooks/faregate"
        disabled={disabled}
      />
      {!disabled && (
        <div className="flex flex-wrap gap-2">
          <Button kind="primary" size="small" type="submit" busy={form.busy}>
            {t("words.save")}
          </Button>
          {webhook && (
            <>
              <TestButton channel="webhook" />
              <Button size="small" onClick={renew}>
                {t("wallet.webhookNewSecret")}
              </Button>
              <Button size="small" kind="danger" onClick={remove}>
                {t("wallet.webhookRemove")}
              </Button>
            </>
          )}
        </div>
      )}
    </form>
  );
}

function WebhookHealth({ webhook }: { readonly webhook: Webhook | null }) {
  const { t } = useSpeech();
  if (!webhook || webhook.failures === 0) return null;
  return (
    <Notice tone="bad">
      {t("wallet.webhookFailing", { count: webhook.failures, reason: webhook.last_error ?? "" })}
    </Notice>
  );
}
