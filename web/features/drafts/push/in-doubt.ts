import { ApiError, isUnanswered } from "../../../lib/api.ts";

/** Failures of the server that say that nothing has arrived. */
const NOTHING_ARRIVED = [
  "platform_refused",
  "upstream_unavailable",
  "proxy_failed",
  "token_unavailable",
];

/** Whether a push may have arrived, though it has ended so: its answer was lost on some part of the way, or it still runs. */
export function isInDoubt(error: unknown): boolean {
  const code = error instanceof ApiError ? error.code : "";
  return code === "push_busy" || (isUnanswered(error) && !NOTHING_ARRIVED.includes(code));
}
