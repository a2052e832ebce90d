import type { RequestStatus } from "../../../src/console/contract/requests.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { formatNumber } from "../../lib/format.ts";
import { Badge } from "../../ui/badge.tsx";

const TONES = { ok: "good", error: "bad", refused: "warn" } as const;

/** Codes that have words of their own. Any other code is shown as it is. */
const WORDED = [
  "budget_exceeded",
  "budget_busy",
  "rate_limit_exceeded",
  "upstream_unavailable",
  "model_unavailable",
  "model_not_allowed",
  "model_not_found",
  "upstream_rejected",
  "context_length_exceeded",
  "unsupported_parameter",
  "unsupported_endpoint",
  "storage_unavailable",
  "internal_error",
  "client_closed",
  "invalid_json",
  "request_too_large",
] as const;

interface StatusBadgeProps {
  readonly status: RequestStatus;
  /** The error's code, which says more than the status. */
  readonly code: string | null;
  /** How many requests share this receipt. */
  readonly requests: number;
}

export function StatusBadge({ status, code, requests }: StatusBadgeProps) {
  const { t, locale } = useSpeech();
  const worded = WORDED.find((each) => each === code);
  const word = worded ? t(`requests.badge_${worded}`) : (code ?? t(`requests.status_${status}`));
  const times = requests > 1 ? ` × ${formatNumber(requests, locale)}` : "";
  return (
    <Badge tone={TONES[status]} title={worded}>
      {word}
      {times}
    </Badge>
  );
}
