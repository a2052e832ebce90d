import { useSpeech } from "../../i18n/language.tsx";
import type { RequestStatus } from "../../lib/contract.ts";
import { Badge } from "../../ui/badge.tsx";

const TONES = { ok: "good", error: "bad", refused: "warn" } as const;

interface StatusBadgeProps {
  readonly status: RequestStatus;
  /** Says more than the status, where there is one. */
  readonly code: string | null;
}

export function StatusBadge({ status, code }: StatusBadgeProps) {
  const { t } = useSpeech();
  return <Badge tone={TONES[status]}>{code ?? t(`requests.status_${status}`)}</Badge>;
}
