import { useSpeech } from "../../i18n/language.tsx";
import type { Filters } from "../../lib/filters.ts";
import { Select } from "../../ui/select.tsx";
import { ClearFilters } from "../../ui/tables/clear-filters.tsx";
import { DayField } from "../../ui/tables/day-field.tsx";
import { useModelChoices } from "../requests/choices.ts";
import { KeyFilter } from "../requests/key-filter.tsx";
import { type DayRange, RANGES, rangeOf } from "./range.ts";

export const FILTERS = ["range", "from", "to", "key", "model"] as const;
type Filter = (typeof FILTERS)[number];

interface FilterBarProps extends Filters<Filter> {
  readonly days: DayRange;
}

export function FilterBar({ values, days, set, clear, active }: FilterBarProps) {
  const { t } = useSpeech();
  const models = useModelChoices(values.model);
  const range = rangeOf(values);
  const control = "min-w-0 flex-1 basis-36 sm:max-w-52";
  // Typing starts from the days that are on the page.
  const choose = (next: string) =>
    set(
      next === "custom"
        ? { range: next, ...days }
        : { range: next === "30" ? undefined : next, from: undefined, to: undefined },
    );
  return (
    <search
      aria-label={t("requests.filters")}
      className="mb-5 grid grid-cols-2 items-end gap-2 sm:flex sm:flex-wrap"
    >
      <span className="flex gap-1 max-sm:col-span-2">
        <Select
          label={t("usage.range")}
          className="min-w-0 flex-1 sm:w-44"
          value={range}
          choices={RANGES.map((value) => ({ value, label: t(`usage.range_${value}`) }))}
          onChange={choose}
        />
        <ClearFilters active={active} onClear={clear} />
      </span>
      {/* Always there: fields that came with a choice would push the others aside. */}
      <DayField
        label={t("requests.from")}
        value={days.from}
        onChange={(from) => set({ range: "custom", ...days, from })}
      />
      <DayField
        label={t("requests.to")}
        value={days.to}
        onChange={(to) => set({ range: "custom", ...days, to })}
      />
      <span className={control}>
        <KeyFilter value={values.key} onChange={(key) => set({ key })} />
      </span>
      <Select
        label={t("requests.model")}
        className={control}
        value={values.model ?? ""}
        choices={models}
        onChange={(model) => set({ model })}
      />
    </search>
  );
}
