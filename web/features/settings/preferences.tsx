import type { Me, OwnChanges } from "../../../src/accounts/contract/me.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { LANGUAGES } from "../../i18n/messages.ts";
import { api } from "../../lib/api.ts";
import { useForm } from "../../lib/form.ts";
import { useSession } from "../../lib/session.tsx";
import { THEMES, useTheme } from "../../lib/theme.tsx";
import { BROWSER_ZONE, isZone, zoneLabel } from "../../lib/time/time-zones.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { FormProblem } from "../../ui/dialogs/form-problem.tsx";
import { Field, Input } from "../../ui/field.tsx";
import { Select } from "../../ui/select.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { useLanguageChoice } from "../../ui/toasts/language-choice.ts";
import { useAction } from "../../ui/toasts/toast.tsx";
import { ZoneField } from "../../ui/zone-field.tsx";

/** What is chosen is kept with the person, so that other browsers know it too. */
function usePreference() {
  const { t } = useSpeech();
  return useAction((change: OwnChanges) => api.patch<Me>("/api/me", change), {
    refresh: ["/api/me"],
    done: t("settings.saved"),
  });
}

export function ProfileCard() {
  const { t } = useSpeech();
  const { me } = useSession();
  const { email, name } = me.user;
  const { send } = usePreference();
  const form = useForm({
    initial: { name },
    check: (values) => (values.name.trim() === "" ? { name: t("errors.required") } : {}),
    submit: (values) => send({ name: values.name.trim() }),
  });
  return (
    <Card title={t("settings.profile")}>
      <form className="flex flex-col gap-4" onSubmit={form.onSubmit}>
        <FormProblem words={form.problem} />
        <div className="grid items-start gap-4 sm:grid-cols-2">
          <TextField
            form={form}
            name="name"
            label={t("settings.name")}
            autoComplete="name"
            maxLength={100}
          />
          <Field label={t("settings.email")} hint={t("settings.emailHint")}>
            <Input readOnly value={email} className="bg-sunken text-muted" />
          </Field>
        </div>
        <Button
          type="submit"
          kind="primary"
          className="self-start"
          busy={form.busy}
          disabled={form.values.name.trim() === name}
        >
          {t("words.save")}
        </Button>
      </form>
    </Card>
  );
}

/** Takes effect with the choice; there is nothing to send. */
export function DisplayCard() {
  const { t, language } = useSpeech();
  const speak = useLanguageChoice();
  const { theme, setTheme } = useTheme();
  const { run: remember } = usePreference();
  return (
    <Card title={t("settings.display")}>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Field label={t("settings.language")}>
          <Select
            value={language}
            choices={LANGUAGES}
            onChange={(next) => speak(next, () => remember({ language: next }))}
          />
        </Field>
        <Field label={t("settings.theme")}>
          <Select
            value={theme}
            choices={THEMES.map((value) => ({ value, label: t(`settings.theme_${value}`) }))}
            onChange={(next) => {
              setTheme(next);
              remember({ theme: next });
            }}
          />
        </Field>
        <OwnZone onChange={(zone) => remember({ time_zone: zone })} />
      </div>
    </Card>
  );
}

function OwnZone({ onChange }: { readonly onChange: (zone: string | null) => void }) {
  const { t } = useSpeech();
  const { me } = useSession();
  const zone = zoneLabel(Intl.DateTimeFormat().resolvedOptions().timeZone);
  return (
    <ZoneField
      label={t("settings.timeZone")}
      hint={t("settings.timeZoneHint")}
      className="sm:col-span-2"
      value={me.user.time_zone ?? BROWSER_ZONE}
      other={{ value: BROWSER_ZONE, label: t("settings.timeZoneBrowser", { zone }) }}
      onChange={(next) => {
        if (next === BROWSER_ZONE) onChange(null);
        else if (isZone(next)) onChange(next);
      }}
    />
  );
}
