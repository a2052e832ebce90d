import { useDeferredValue, useId, useState } from "react";
import type { OperatorAccount } from "../../../src/console/operator/contract/accounts.ts";
import type { Page } from "../../../src/lib/contract.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { useResource } from "../../lib/queries.ts";
import { Input } from "../../ui/field.tsx";
import { ACCOUNTS } from "../operator-accounts/paths.ts";

const SUGGESTED = 8;

interface AccountFilterProps {
  /** The id of an account. */
  readonly value: string | undefined;
  readonly onChange: (account: string | undefined) => void;
}

/** An account by a part of its name or its id; the names that match are suggested. */
export function AccountFilter({ value, onChange }: AccountFilterProps) {
  const { t } = useSpeech();
  const list = useId();
  const [typed, setTyped] = useState<string>();
  const asked = useDeferredValue(typed?.trim() ?? "");
  const chosen = useResource<OperatorAccount>(
    `${ACCOUNTS}/${value}`,
    {},
    { enabled: value !== undefined },
  );
  const found = useResource<Page<OperatorAccount>>(
    ACCOUNTS,
    { q: asked, limit: SUGGESTED },
    { enabled: asked !== "", keep: true },
  );
  const accounts = found.data?.data ?? [];
  const named = (text: string) =>
    accounts.find(({ id, name }) => id === text || name === text) ?? undefined;
  const apply = (text: string) => {
    if (text.trim() === "") return value !== undefined && onChange(undefined);
    const account = named(text.trim()) ?? (accounts.length === 1 ? accounts[0] : undefined);
    // A name that nobody has finds nothing, which says so better than a list of everything.
    const id = account?.id ?? text.trim();
    if (id !== value) onChange(id);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (typed !== undefined) apply(typed);
      }}
    >
      <Input
        maxLength={100}
        list={list}
        placeholder={t("audit.accountFilter")}
        value={typed ?? chosen.data?.name ?? value ?? ""}
        onValueChange={(text) => {
          setTyped(text);
          if (text === "" || named(text)) apply(text);
        }}
        onBlur={() => typed !== undefined && apply(typed)}
      />
      <datalist id={list}>
        {accounts.map(({ id, name }) => (
          <option key={id} value={name} label={id} />
        ))}
      </datalist>
    </form>
  );
}
