import { useSpeech } from "../../i18n/language.tsx";
import { Field, Input } from "../../ui/field.tsx";
import { Select } from "../../ui/select.tsx";
import { ClearFilters } from "../../ui/tables/clear-filters.tsx";
import { SearchField } from "../../ui/tables/search-field.tsx";
import { useKeyChoices, useModelChoices } from "./choices.ts";

const STATUSES = ["ok", "error", "refused"] as const;

export const FILTERS = ["q", "status", "key", "model", "from", "to"] as const;
type Filter = (typeof FILTERS)[number];
export type FilterValues = Readonly<Record<Filter, string | undefined>>;

interface FilterBarProps {
  readonly values: FilterValues;
  readonly set: (changes: Partial<Record<Filter, string | undefined>>) => void;
  readonly clear: () => void;
  readonly active: boolean;
}

export function FilterBar({ values, set, clear, active }: FilterBarProps) {
  const { t } = useSpeech();
  const keys = useKeyChoices(values.key);
  const models = useModelChoices(values.model);
  const statuses = [
    { value: "", label: t("requests.allStatuses") },
    ...STATUSES.map((status) => ({ value: status, label: t(`requests.status_${status}`) })),
  ];
  const control = "min-w-0 flex-1 basis-32 sm:max-w-52";
  return (
    <search
      aria-label={t("requests.filters")}
      className="mb-4 grid grid-cols-2 items-end gap-2 sm:flex sm:flex-wrap"
    >
      <span className="flex w-full gap-1 max-sm:col-span-2 md:w-64">
        <SearchField
          mono
          label={t("requests.search")}
          value={values.q}
          onChange={(q) => set({ q })}
        />
        <ClearFilters active={active} onClear={clear} />
      </span>
      <Select
        label={t("words.status")}
        className={control}
        value={values.status ?? ""}
        choices={statuses}
        onChange={(status) => set({ status })}
      />
      <Select
        label={t("requests.key")}
        className={control}
        value={values.key ?? ""}
        choices={keys}
        onChange={(key) => set({ key })}
      />
      <Select
        label={t("requests.model")}
        className={`${control} max-sm:col-span-2`}
        value={values.model ?? ""}
        choices={models}
        onChange={(model) => set({ model })}
      />
      <DayField label={t("requests.from")} value={values.from} onChange={(from) => set({ from })} />
      <DayField label={t("requests.to")} value={values.to} onChange={(to) => set({ to })} />
    </search>
  );
}

interface TextFilterProps {
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

export function DayField({ label, value, onChange }: TextFilterProps & { readonly label: string }) {
  return (
    <Field label={label} className="min-w-0 flex-1 basis-36 sm:max-w-44">
      <Input
        type="date"
        value={value ?? ""}
        onValueChange={(day: string) => onChange(day || undefined)}
      />
    </Field>
  );
}
