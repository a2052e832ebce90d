import { useSpeech } from "../i18n/language.tsx";
import type { Rows } from "../lib/queries.ts";
import { Button } from "../ui/button.tsx";

export function LoadMore({ rows }: { readonly rows: Rows<unknown> }) {
  const { t } = useSpeech();
  if (!rows.hasMore) return null;
  return (
    <div className="border-t border-line p-3 text-center">
      <Button size="small" busy={rows.loadingMore} onClick={rows.loadMore}>
        {t("words.loadMore")}
      </Button>
    </div>
  );
}
