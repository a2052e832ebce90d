import type { Key } from "../../../src/console/contract/keys.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { useNow } from "../../lib/time/now.ts";
import { Badge } from "../../ui/badge.tsx";

export function KeyState({ item }: { readonly item: Key }) {
  const { t } = useSpeech();
  const nowMs = useNow();
  if (item.deleted_at !== null) return <Badge tone="bad">{t("keys.deleted")}</Badge>;
  if (!item.enabled) return <Badge>{t("keys.disabled")}</Badge>;
  const expired = item.expires_at !== null && Date.parse(item.expires_at) < nowMs;
  return expired ? <Badge tone="warn">{t("keys.expired")}</Badge> : null;
}
