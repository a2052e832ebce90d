import type { RateLimits, RateSnapshot } from "../admission/rates.ts";
import type { AdmissionOutcome } from "../admission/request.ts";
import { Fault } from "../lib/faults.ts";

/** OpenAI's names and its way of writing durations: "1.5s", "250ms". */
export function rateHeaders(limits: RateLimits, rates: RateSnapshot): Record<string, string> {
  const headers: Record<string, string> = {};
  const write = (name: string, max: number, left: number | null, resetMs: number) => {
    if (left === null) return;
    headers[`x-ratelimit-limit-${name}`] = String(max);
    headers[`x-ratelimit-remaining-${name}`] = String(left);
    headers[`x-ratelimit-reset-${name}`] = resetMs < 1000 ? `${resetMs}ms` : `${resetMs / 1000}s`;
  };
  write("requests", limits.requestsPerMinute, rates.requestsLeft, rates.requestsResetMs);
  write("tokens", limits.tokensPerMinute, rates.tokensLeft, rates.tokensResetMs);
  return headers;
}

const LIMIT_WORDS = {
  requests: "requests per minute",
  tokens: "tokens per minute",
  concurrency: "concurrent requests",
} as const;

/** The refusal of a request that came too soon. */
export function rateLimited(
  outcome: Omit<Extract<AdmissionOutcome, { kind: "limited" }>, "kind">,
  limits: RateLimits,
): Fault {
  const { limit, max, used, retryAfterMs } = outcome;
  const seconds = Math.ceil(retryAfterMs / 1000);
  return new Fault(
    "rate_limit_exceeded",
    `Rate limit reached for ${LIMIT_WORDS[limit]}: limit ${max}, used ${used}. ` +
      `Please try again in ${seconds}s.`,
    {
      headers: {
        ...rateHeaders(limits, outcome.rates),
        "retry-after": String(seconds),
        "retry-after-ms": String(retryAfterMs),
        "x-faregate-limit": limit,
      },
    },
  );
}
