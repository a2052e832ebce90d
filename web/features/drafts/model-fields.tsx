import { Plus } from "lucide-react";
import { useState } from "react";
import { useSpeech } from "../../i18n/language.tsx";
import { api } from "../../lib/api.ts";
import type { CreatedKey } from "../../lib/contract.ts";
import { useChange, useRows } from "../../lib/queries.ts";
import { useSession } from "../../lib/session.tsx";
import { Button } from "../../ui/button.tsx";
import { Field, Input } from "../../ui/field.tsx";
import { Select } from "../../ui/select.tsx";
import { useToast } from "../../ui/toast.tsx";
import type { Model } from "../models/contract.ts";
import { useTabKey } from "../playground/tab-key.ts";

export interface ModelChoice {
  readonly secret: string;
  readonly model: string;
}

/** The model and the key that pays for it; the key stays in this tab, as in the playground. */
export function useModelChoice() {
  const { path } = useSession();
  const rows = useRows<Model>(path("/models"));
  const models = rows.data?.filter(({ endpoints }) => endpoints.includes("responses"));
  const [secret, setSecret] = useTabKey();
  const [wanted, setModel] = useState("");
  const model = models?.find(({ id }) => id === wanted)?.id ?? models?.[0]?.id ?? "";
  const choice: ModelChoice = { secret: secret.trim(), model };
  return { models, choice, secret, setSecret, setModel };
}

interface ModelFieldsProps {
  readonly choice: ReturnType<typeof useModelChoice>;
  readonly error: string | undefined;
}

export function ModelFields({ choice, error }: ModelFieldsProps) {
  const { models, secret, setSecret, setModel } = choice;
  const { t } = useSpeech();
  const choices = (models ?? []).map(({ id, display_name }) => ({
    value: id,
    label: display_name,
  }));
  const none = { value: "", label: models ? t("playground.noModels") : "…" };
  return (
    <>
      <Field label={t("playground.model")}>
        <Select
          value={choice.choice.model}
          choices={choices.length > 0 ? choices : [none]}
          disabled={choices.length === 0}
          onChange={setModel}
        />
      </Field>
      <Field label={t("playground.key")} hint={t("playground.keyHint")} error={error}>
        <Input
          mono
          type="password"
          autoComplete="off"
          spellCheck={false}
          placeholder={t("playground.keyPlaceholder")}
          value={secret}
          onValueChange={setSecret}
        />
      </Field>
      {secret === "" && <CreateKey onSecret={setSecret} />}
    </>
  );
}

function CreateKey({ onSecret }: { readonly onSecret: (secret: string) => void }) {
  const { t } = useSpeech();
  const { path, may } = useSession();
  const toast = useToast();
  const create = useChange(() => api.post<CreatedKey>(path("/keys"), { name: "playground" }), {
    refresh: [path("/keys")],
    onDone: ({ secret }) => {
      onSecret(secret);
      toast.done(t("playground.keyCreated"));
    },
  });
  if (!may("member")) return null;
  return (
    <Button
      size="small"
      className="-mt-2 self-start"
      busy={create.isPending}
      onClick={() => create.mutate(undefined, { onError: toast.failed })}
    >
      <Plus size={14} />
      {t("playground.createKey")}
    </Button>
  );
}
