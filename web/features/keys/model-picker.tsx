import { useId, useState } from "react";
import type { Model } from "../../../src/console/contract/models.ts";
import type { Page } from "../../../src/lib/contract.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { useResource } from "../../lib/queries.ts";
import { useSession } from "../../lib/session.tsx";
import { Input } from "../../ui/field.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Checkbox } from "../../ui/switch.tsx";
import { pickedFirst, toggled } from "./model-choice.ts";

interface ModelPickerProps {
  /** Null for all. */
  readonly value: readonly string[] | null;
  readonly error: string | undefined;
  readonly onChange: (models: readonly string[] | null) => void;
}

/** All models, or some of them ticked in a list that can be searched. */
export function ModelPicker({ value, error, onChange }: ModelPickerProps) {
  const { t } = useSpeech();
  const problem = useId();
  return (
    <fieldset
      aria-describedby={error === undefined ? undefined : problem}
      className="flex min-w-0 flex-col gap-2"
    >
      <legend className="mb-1.5 text-[13px] font-medium">{t("keys.models")}</legend>
      <Checkbox
        label={t("keys.someModels")}
        hint={
          value === null ? t("keys.allModelsHint") : t("keys.modelsChosen", { count: value.length })
        }
        checked={value !== null}
        onChange={(some) => onChange(some ? [] : null)}
      />
      {value !== null && <ModelList value={value} onChange={onChange} />}
      {error !== undefined && (
        <p id={problem} role="alert" className="text-[13px] text-bad">
          {error}
        </p>
      )}
    </fieldset>
  );
}

interface ModelListProps {
  readonly value: readonly string[];
  readonly onChange: (models: readonly string[]) => void;
}

function ModelList({ value, onChange }: ModelListProps) {
  const { t } = useSpeech();
  const { path } = useSession();
  const { data } = useResource<Page<Model>>(path("/models"));
  const [sought, setSought] = useState("");
  // Those that were ticked when the list was opened stand first; a tick moves nothing under the pointer.
  const [first] = useState(value);
  if (!data) return <Skeleton className="h-52 w-full" />;
  const models = pickedFirst(data.data, first, sought);
  return (
    <div className="rounded-lg border border-line">
      <div className="border-b border-line p-2">
        <Input
          type="search"
          aria-label={t("keys.modelsSearch")}
          placeholder={t("keys.modelsSearch")}
          value={sought}
          onValueChange={setSought}
        />
      </div>
      <ul className="flex h-40 flex-col gap-1.5 overflow-y-auto p-3">
        {models.map(({ id, display_name }) => (
          <li key={id}>
            <Checkbox
              label={display_name}
              hint={<span className="font-mono text-xs break-all">{id}</span>}
              checked={value.includes(id)}
              onChange={() => onChange(toggled(value, id))}
            />
          </li>
        ))}
        {models.length === 0 && (
          <li className="text-[13px] text-muted">{t("keys.modelsNoMatch")}</li>
        )}
      </ul>
    </div>
  );
}
