import { useState } from "react";
import type { AuditRecord } from "../../../src/accounts/contract/audit.ts";
import { SEARCH_TARGET } from "../../app/shortcuts.ts";
import { useSpeech } from "../../i18n/language.tsx";
import type { Filters } from "../../lib/filters.ts";
import { Field } from "../../ui/field.tsx";
import { Select } from "../../ui/select.tsx";
import { SuggestedInput } from "../../ui/suggested-input.tsx";
import { ClearFilters } from "../../ui/tables/clear-filters.tsx";
import { DayField } from "../../ui/tables/day-field.tsx";
import { AccountFilter } from "./account-filter.tsx";
import { actionWords, SUBJECTS } from "./action-words.ts";

export const FILTERS = ["action", "actor", "account", "target", "from", "to"] as const;
type Filter = (typeof FILTERS)[number];
export type FilterChange = Partial<Record<Filter, string | undefined>>;

interface FilterBarProps extends Filters<Filter> {
  /** Over all accounts, of which one can be chosen. */
  readonly everywhere: boolean;
  /** What is on the page, whose people are suggested. */
  readonly known: readonly AuditRecord[];
}

export function FilterBar({ values, set, clear, active, everywhere, known }: FilterBarProps) {
  const { t } = useSpeech();
  const control = "min-w-0 flex-1 basis-36 sm:max-w-52";
  return (
    <search
      aria-label={t("audit.filters")}
      className="mb-4 grid grid-cols-2 items-end gap-2 sm:flex sm:flex-wrap"
    >
      <Field label={t("audit.what")} className={control}>
        <ActionSelect value={values.action} onChange={(action) => set({ action })} />
      </Field>
      {/* An address is longer than what the others ask for. */}
      <Field label={t("audit.who")} className="min-w-0 flex-1 basis-52 sm:max-w-64">
        <WordFilter
          key={`actor ${values.actor}`}
          value={values.actor}
          suggestions={[...new Set(known.map(({ actor }) => actor))]}
          placeholder={t("audit.whoHint")}
          onChange={(actor) => set({ actor })}
        />
      </Field>
      {everywhere && (
        <Field label={t("audit.account")} className={control}>
          <AccountFilter
            key={`account ${values.account}`}
            value={values.account}
            onChange={(account) => set({ account })}
          />
        </Field>
      )}
      <Field label={t("audit.targetId")} className={control}>
        <WordFilter
          mono
          key={`target ${values.target}`}
          value={values.target}
          suggestions={[]}
          placeholder="key_…"
          onChange={(target) => set({ target })}
        />
      </Field>
      <DayField label={t("audit.from")} value={values.from} onChange={(from) => set({ from })} />
      <DayField label={t("audit.to")} value={values.to} onChange={(to) => set({ to })} />
      <ClearFilters active={active} onClear={clear} />
    </search>
  );
}

interface ValueProps {
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

/** By subject; one action that a link has chosen stays a choice. */
function ActionSelect({ value, onChange }: ValueProps) {
  const { t } = useSpeech();
  const choices = [
    { value: "", label: t("audit.everything") },
    ...(value?.includes(".") ? [{ value, label: actionWords(value, t) }] : []),
    ...SUBJECTS.map((subject) => ({ value: subject, label: t(`audit.subject_${subject}`) })),
  ];
  return (
    <Select<string>
      value={value ?? ""}
      choices={choices}
      onChange={(chosen) => onChange(chosen || undefined)}
    />
  );
}

interface WordFilterProps extends ValueProps {
  readonly suggestions: readonly string[];
  readonly placeholder: string;
  readonly mono?: boolean;
}

/** Asked for when it is whole: an address or an id is found exactly or not at all. */
function WordFilter({ value, onChange, suggestions, placeholder, mono }: WordFilterProps) {
  const [typed, setTyped] = useState(value ?? "");
  const apply = (text: string) => {
    const word = text.trim() || undefined;
    if (word !== value) onChange(word);
  };
  return (
    <SuggestedInput
      {...(mono ? {} : SEARCH_TARGET)}
      mono={mono ?? false}
      maxLength={300}
      placeholder={placeholder}
      value={typed}
      suggestions={suggestions.map((suggestion) => ({ value: suggestion }))}
      onType={(text) => {
        setTyped(text);
        if (text === "") apply(text);
      }}
      onDone={apply}
    />
  );
}
