import type { RequestStatus } from "../../../src/console/contract/requests.ts";
import { type Translate, useSpeech } from "../../i18n/language.tsx";
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

/** A code in words, and itself where the words stand in its place. */
export function codeWords(code: string, t: Translate): { words: string; title?: string } {
  const worded = WORDED.find((each) => each === code);
  return worded ? { words: t(`requests.badge_${worded}`), title: worded } : { words: code };
}

export function StatusBadge({ status, code, requests }: StatusBadgeProps) {
  const { t, locale } = useSpeech();
  const { words, title } = code
    ? codeWords(code, t)
    : { words: t(`requests.status_${status}`), title: undefined };
  const times = requests > 1 ? ` × ${formatNumber(requests, locale)}` : "";
  return (
    <Badge tone={TONES[status]} title={title}>
      {words}
      {times}
    </Badge>
  );
}
