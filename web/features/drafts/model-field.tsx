import { useState } from "react";
import type { Model } from "../../../src/console/contract/models.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { useErrorWords } from "../../lib/error-words.ts";
import { useRows } from "../../lib/queries.ts";
import { useSession } from "../../lib/session.tsx";
import { Field } from "../../ui/field.tsx";
import { Select } from "../../ui/select.tsx";
import { defaultModel } from "../playground/default-model.ts";

/** The model that writes, and the account that pays for it, as a path of the API. */
export function useModelChoice() {
  const { path } = useSession();
  const rows = useRows<Model>(path("/models"));
  const models = rows.data?.filter(({ endpoints }) => endpoints.includes("responses"));
  const [wanted, setModel] = useState("");
  const chosen = models?.find(({ id }) => id === wanted) ?? (models && defaultModel(models));
  return {
    models,
    choice: { account: path(""), model: chosen?.id ?? "" },
    setModel,
    /** Nobody can say yet that there is none: what is pressed now would be refused with a lie. */
    loading: models === undefined && !rows.error,
    error: rows.error,
  };
}

interface ModelFieldProps {
  readonly choice: ReturnType<typeof useModelChoice>;
  readonly error: string | undefined;
}

export function ModelField({ choice, error }: ModelFieldProps) {
  const { models, setModel } = choice;
  const { t } = useSpeech();
  const wordsOf = useErrorWords();
  const choices = (models ?? []).map(({ id, display_name }) => ({
    value: id,
    label: display_name,
  }));
  const none = { value: "", label: models ? t("playground.noModels") : "…" };
  return (
    <Field
      label={t("playground.model")}
      error={choice.error && !models ? wordsOf(choice.error) : error}
    >
      <Select
        value={choice.choice.model}
        choices={choices.length > 0 ? choices : [none]}
        disabled={choices.length === 0}
        onChange={setModel}
      />
    </Field>
  );
}
