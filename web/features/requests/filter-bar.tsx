import { useSpeech } from "../../i18n/language.tsx";
import type { Filters } from "../../lib/filters.ts";
import { cx } from "../../ui/cx.ts";
import { Select } from "../../ui/select.tsx";
import { ClearFilters } from "../../ui/tables/clear-filters.tsx";
import { DayField } from "../../ui/tables/day-field.tsx";
import { SearchField } from "../../ui/tables/search-field.tsx";
import { useKeyChoices, useModelChoices } from "./choices.ts";

const STATUSES = ["ok", "error", "refused"] as const;

export const FILTERS = ["q", "status", "key", "model", "from", "to"] as const;
type Filter = (typeof FILTERS)[number];

export function FilterBar({ values, set, clear, active }: Filters<Filter>) {
  const { t } = useSpeech();
  const keys = useKeyChoices(values.key);
  const models = useModelChoices(values.model);
  const statuses = [
    { value: "", label: t("requests.allStatuses") },
    ...STATUSES.map((status) => ({ value: status, label: t(`requests.status_${status}`) })),
  ];
  const select = (name: "status" | "key" | "model", label: string, choices: typeof keys) => (
    <Select
      label={label}
      className={cx("min-w-0 flex-1 basis-32 sm:max-w-52", name === "model" && "max-sm:col-span-2")}
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
      {select("key", t("requests.key"), keys)}
      {select("model", t("requests.model"), models)}
      <DayField label={t("requests.from")} value={values.from} onChange={(from) => set({ from })} />
      <DayField label={t("requests.to")} value={values.to} onChange={(to) => set({ to })} />
    </search>
  );
}
