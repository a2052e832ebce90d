import { useSpeech } from "../../i18n/language.tsx";
import type { Filters } from "../../lib/filters.ts";
import { cx } from "../../ui/cx.ts";
import { Select } from "../../ui/select.tsx";
import { ClearFilters } from "../../ui/tables/clear-filters.tsx";
import { DayField } from "../../ui/tables/day-field.tsx";
import { SearchField } from "../../ui/tables/search-field.tsx";
import { useModelChoices } from "./choices.ts";
import { KeyFilter } from "./key-filter.tsx";

const STATUSES = ["ok", "error", "refused"] as const;

export const FILTERS = ["q", "status", "key", "model", "from", "to"] as const;
type Filter = (typeof FILTERS)[number];

export function FilterBar({ values, set, clear, active }: Filters<Filter>) {
  const { t } = useSpeech();
  const models = useModelChoices(values.model);
  const statuses = [
    { value: "", label: t("requests.allStatuses") },
    ...STATUSES.map((status) => ({ value: status, label: t(`requests.status_${status}`) })),
  ];
  const control = "min-w-0 flex-1 basis-32 sm:max-w-52";
  const select = (name: "status" | "model", label: string, choices: typeof models) => (
    <Select
      label={label}
      className={cx(control, name === "model" && "max-sm:col-span-2")}
      value={values[name] ?? ""}
      choices={choices}
      onChange={(value) => set({ [name]: value })}
    />
  );
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
      {select("status", t("words.status"), statuses)}
      <span className={control}>
        <KeyFilter value={values.key} onChange={(key) => set({ key })} />
      </span>
      {select("model", t("requests.model"), models)}
      <DayField label={t("requests.from")} value={values.from} onChange={(from) => set({ from })} />
      <DayField label={t("requests.to")} value={values.to} onChange={(to) => set({ to })} />
    </search>
  );
}
