import { useState } from "react";
import type { PricePreview } from "../../../src/console/operator/contract/models.ts";
import type { InstallationSettings } from "../../../src/console/operator/contract/settings.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { api } from "../../lib/api.ts";
import { useErrorWords } from "../../lib/error-words.ts";
import { useForm } from "../../lib/form.ts";
import { lazyPart } from "../../lib/lazy-part.tsx";
import { TextLink } from "../../lib/link.tsx";
import { useResource } from "../../lib/queries.ts";
import { Notice } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { FormProblem } from "../../ui/dialogs/form-problem.tsx";
import { Field, Input } from "../../ui/field.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { readMarkup } from "./markup.ts";
import type { Proposal } from "./markup-dialog.tsx";
import { SETTINGS_PATH } from "./rates.ts";

const MarkupDialog = lazyPart(() => import("./markup-dialog.tsx"), "MarkupDialog");

export function MarkupTab() {
  const { rich, t } = useSpeech();
  const wordsOf = useErrorWords();
  const { data, error } = useResource<InstallationSettings>(SETTINGS_PATH);
  if (error && !data) return <Notice tone="bad">{wordsOf(error)}</Notice>;
  if (!data) return <Skeleton className="h-56 w-full max-w-2xl" />;
  const link = (
    <TextLink key="installation" to="/operator/settings">
      {t("nav.installation")}
    </TextLink>
  );
  return (
    <div className="flex max-w-2xl flex-col gap-3">
      <MarkupCard settings={data} />
      <p className="text-[13px] text-muted">{rich("prices.otherSettings", { page: link })}</p>
    </div>
  );
}

function MarkupCard({ settings }: { readonly settings: InstallationSettings }) {
  const { t } = useSpeech();
  const [proposal, setProposal] = useState<Proposal>();
  const form = useForm({
    initial: { markup_percent: settings.markup_percent },
    check: ({ markup_percent: typed }) =>
      readMarkup(typed) === undefined ? { markup_percent: t("prices.badMarkup") } : {},
    submit: async (values) => {
      const percent = readMarkup(values.markup_percent) ?? "0";
      const path = `${SETTINGS_PATH}?preview=true`;
      const { data } = await api.put<PricePreview>(path, { markup_percent: percent });
      setProposal({ percent, changes: data });
    },
  });
  return (
    <Card title={t("prices.markup")}>
      <form onSubmit={form.onSubmit} className="flex flex-col gap-4" noValidate>
        <FormProblem words={form.problem} />
        <Field
          label={t("prices.markupPercent")}
          hint={t("prices.markupHint")}
          error={form.errors.markup_percent}
        >
          <Input
            inputMode="decimal"
            className="max-w-40"
            value={form.values.markup_percent}
            onValueChange={(value) => form.set("markup_percent", value)}
          />
        </Field>
        <Button type="submit" busy={form.busy} className="self-start">
          {t("prices.preview")}
        </Button>
      </form>
      {proposal && <MarkupDialog proposal={proposal} onClose={() => setProposal(undefined)} />}
    </Card>
  );
}
