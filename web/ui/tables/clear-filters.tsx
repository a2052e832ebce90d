import { FunnelX } from "lucide-react";
import { useSpeech } from "../../i18n/language.tsx";
import { IconButton } from "../button.tsx";

interface ClearFiltersProps {
  /** Whether there is anything to clear. */
  readonly active: boolean;
  readonly onClear: () => void;
}

/** Always in its place: what came and went with the filters would move the page. */
export function ClearFilters({ active, onClear }: ClearFiltersProps) {
  const { t } = useSpeech();
  return (
    <IconButton
      label={t("words.clearFilters")}
      className="size-9"
      disabled={!active}
      onClick={onClear}
    >
      <FunnelX size={16} />
    </IconButton>
  );
}
