import { useDeferredValue, useState } from "react";
import type { Page } from "../../../src/lib/contract.ts";
import { useResource } from "../../lib/queries.ts";
import { SuggestedInput } from "../suggested-input.tsx";

const SUGGESTED = 20;

interface Named {
  readonly id: string;
  readonly name: string;
}

interface RecordFilterProps {
  /** The list of the API that has a search: `/api/accounts/acct_1/keys`. */
  readonly path: string;
  /** The id that was chosen. */
  readonly value: string | undefined;
  readonly onChange: (id: string | undefined) => void;
  readonly placeholder: string;
  /** Needed where no Field gives it a label. */
  readonly label?: string;
}

/** Chooses a record by a part of its name or its id, among as many as there are; those that match are suggested. */
export function RecordFilter({ path, value, onChange, placeholder, label }: RecordFilterProps) {
  const [isEntered, setIsEntered] = useState(false);
  const [typed, setTyped] = useState<string>();
  const q = useDeferredValue(typed?.trim() || undefined);
  const chosen = useResource<Named>(`${path}/${value}`, {}, { enabled: value !== undefined });
  const found = useResource<Page<Named>>(
    path,
    { q, limit: SUGGESTED },
    { enabled: isEntered, keep: true },
  );
  const records = found.data?.data ?? [];
  const named = (text: string) => records.find(({ id, name }) => id === text || name === text);
  const apply = (text: string) => {
    if (text === "") return value !== undefined && onChange(undefined);
    const record = named(text) ?? (records.length === 1 ? records[0] : undefined);
    // A name that nothing has finds nothing, which says so better than a list of everything.
    const id = record?.id ?? text;
    if (id !== value) onChange(id);
  };
  return (
    <SuggestedInput
      maxLength={100}
      aria-label={label}
      placeholder={placeholder}
      value={typed ?? chosen.data?.name ?? value ?? ""}
      suggestions={records.map((record) => ({ value: record.name, label: record.id }))}
      onFocus={() => setIsEntered(true)}
      onType={(text) => {
        setTyped(text);
        if (text === "" || records.some(({ id }) => id === text)) apply(text);
      }}
      onDone={(text) => apply(text.trim())}
    />
  );
}
