import type { ReactNode } from "react";
import { useSpeech } from "../../i18n/language.tsx";
import { Button } from "../button.tsx";
import { EmptyState } from "../empty-state.tsx";

interface NoRowsProps {
  /** Whose words they are. */
  readonly of: "audit" | "keys" | "models" | "operatorAccounts" | "requests";
  readonly icon: ReactNode;
  /** There may be some that the filters hide. */
  readonly filtered: boolean;
  readonly onClear: () => void;
  /** The way to the first row. */
  readonly action?: ReactNode;
}

/** Stands in the place of a list: nothing matches, or there is nothing yet. */
export function NoRows({ of, icon, filtered, onClear, action }: NoRowsProps) {
  const { t } = useSpeech();
  const clear = <Button onClick={onClear}>{t("words.clearFilters")}</Button>;
  return (
    <EmptyState
      icon={icon}
      title={t(filtered ? `${of}.noMatch` : `${of}.emptyTitle`)}
      action={filtered ? clear : action}
    >
      {t(filtered ? `${of}.noMatchHint` : `${of}.emptyHint`)}
    </EmptyState>
  );
}
