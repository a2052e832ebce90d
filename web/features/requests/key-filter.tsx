import { useSpeech } from "../../i18n/language.tsx";
import { useSession } from "../../lib/session.tsx";
import { RecordFilter } from "../../ui/tables/record-filter.tsx";

interface KeyFilterProps {
  /** The id of a key. */
  readonly value: string | undefined;
  readonly onChange: (key: string | undefined) => void;
}

/** One key of the account, found by its name, however many there are. */
export function KeyFilter({ value, onChange }: KeyFilterProps) {
  const { t } = useSpeech();
  const { path } = useSession();
  return (
    <RecordFilter
      // Another choice, such as none, is another text.
      key={value ?? ""}
      path={path("/keys")}
      label={t("requests.key")}
      placeholder={t("requests.allKeys")}
      value={value}
      onChange={onChange}
    />
  );
}
