import type { RequestStatus } from "../../../src/console/contract/requests.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { formatNumber } from "../../lib/format.ts";
import { Badge } from "../../ui/badge.tsx";

const TONES = { ok: "good", error: "bad", refused: "warn" } as const;

interface StatusBadgeProps {
  readonly status: RequestStatus;
  /** Says more than the status, where there is one. */
  readonly code: string | null;
  /** How many requests it is said of. */
  readonly requests: number;
}

export function StatusBadge({ status, code, requests }: StatusBadgeProps) {
  const { t, locale } = useSpeech();
  const word = code ?? t(`requests.status_${status}`);
  const times = requests > 1 ? ` × ${formatNumber(requests, locale)}` : "";
  return (
    <Badge tone={TONES[status]}>
      {word}
      {times}
    </Badge>
  );
}
