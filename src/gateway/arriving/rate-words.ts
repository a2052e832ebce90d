import type { RateLimits, RateSnapshot } from "../../admission/rates.ts";
import type { AdmissionOutcome } from "../../admission/request.ts";
import { RateFault, type RateScope } from "../../ledger/refusal.ts";

/** OpenAI's names and its way of writing durations: "1.5s", "250ms". */
export function rateHeaders(limits: RateLimits, rates: RateSnapshot): Record<string, string> {
  const headers: Record<string, string> = {};
  const { requestsLeft, requestsResetMs, tokensLeft, tokensResetMs } = rates;
  if (requestsLeft !== null) {
    write(headers, "requests", limits.requestsPerMinute, requestsLeft, requestsResetMs);
  }
  if (tokensLeft !== null) {
    write(headers, "tokens", limits.tokensPerMinute, tokensLeft, tokensResetMs);
  }
  return headers;
}

function write(
  headers: Record<string, string>,
  name: "requests" | "tokens",
  max: number,
  left: number,
  resetMs: number,
): void {
  headers[`x-ratelimit-limit-${name}`] = String(max);
  headers[`x-ratelimit-remaining-${name}`] = String(left);
  headers[`x-ratelimit-reset-${name}`] = resetMs < 1000 ? `${resetMs}ms` : `${resetMs / 1000}s`;
}

const SCOPES = {
  requests: "requests_per_minute",
  tokens: "tokens_per_minute",
  concurrency: "concurrent_requests",
} as const satisfies Record<string, RateScope>;

/** The refusal of a request that came too soon. */
export function rateLimited(
  outcome: Omit<Extract<AdmissionOutcome, { kind: "limited" }>, "kind">,
  limits: RateLimits,
): RateFault {
  const { limit, max, used, needed, retryAfterMs } = outcome;
  const seconds = Math.ceil(retryAfterMs / 1000);
  const scope = SCOPES[limit];
  const words = scope.replaceAll("_", " ");
  const amounts = {
    used: BigInt(used),
    max: BigInt(max),
    left: null,
    needed: needed === undefined ? null : BigInt(needed),
  };
  const less = needed === undefined ? "" : " ask for less output,";
  const asked = needed === undefined ? "" : `, this request takes ${needed}`;
  const fix = `Send it again after ${seconds}s,${less} or raise the key's ${words}.`;
  return new RateFault(
    `Rate limit reached for ${words}: limit ${max}, used ${used}${asked}. ` +
      `Please try again in ${seconds}s.`,
    { scope, period: null, resetsAtMs: null, ...amounts, fix },
    {
      ...rateHeaders(limits, outcome.rates),
      "retry-after": String(seconds),
      "retry-after-ms": String(retryAfterMs),
      "x-faregate-limit": limit,
    },
  );
}
