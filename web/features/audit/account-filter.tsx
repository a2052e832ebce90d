import { useSpeech } from "../../i18n/language.tsx";
import { RecordFilter } from "../../ui/tables/record-filter.tsx";
import { ACCOUNTS } from "../operator-accounts/paths.ts";

interface AccountFilterProps {
  /** The id of an account. */
  readonly value: string | undefined;
  readonly onChange: (account: string | undefined) => void;
}

export function AccountFilter(props: AccountFilterProps) {
  const { t } = useSpeech();
  return <RecordFilter path={ACCOUNTS} placeholder={t("audit.accountFilter")} {...props} />;
}
