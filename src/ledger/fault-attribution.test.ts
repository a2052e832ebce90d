import { describe, expect, test } from "bun:test";
import { attributionOf } from "./fault-attribution.ts";
import type { BillingReason } from "./receipt.ts";

describe("whose fault it was", () => {
  test.each<[string | null, BillingReason, number, string | null]>([
    [null, "completed", 200, null],
    [null, "budget_ended", 200, null],
    [null, "client_closed_finished", 200, null],
    ["client", "client_closed", 499, null],
    ["client", "upstream_refused", 400, "upstream_rejected"],
    // Receipts of before these were told apart.
    ["client", "upstream_failed", 400, "context_length_exceeded"],
    ["vendor", "upstream_failed", 503, "upstream_unavailable"],
    ["vendor", "upstream_failed_with_usage", 503, "upstream_unavailable"],
    ["operator", "upstream_failed", 503, "model_unavailable"],
    ["gateway", "gateway_failed", 500, "internal_error"],
    ["gateway", "gateway_failed", 503, "storage_unavailable"],
    ["gateway", "interrupted", 500, "internal_error"],
    ["gateway", "taken_over", 500, "internal_error"],
    ["gateway", "refused", 503, "overloaded"],
    ["client", "refused", 499, null],
    ["client", "refused", 400, "invalid_value"],
    ["client", "refused", 404, "model_not_found"],
    ["key", "refused", 404, "model_not_allowed"],
    ["limit", "refused", 429, "rate_limit_exceeded"],
    ["limit", "refused", 429, "budget_busy"],
    ["limit", "refused", 400, "budget_exceeded"],
  ])("is %s for %s with %i %s", (attribution, billingReason, status, errorCode) => {
    expect(attributionOf({ billingReason, status, errorCode })).toBe(attribution as never);
  });
});
