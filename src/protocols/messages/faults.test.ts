import { describe, expect, test } from "bun:test";
import { Fault, type FaultName } from "../../lib/faults.ts";
import { readMessagesFault, writeMessagesFault } from "./faults.ts";

test.each<[FaultName, string]>([
  ["invalid_type", "invalid_request_error"],
  ["budget_exceeded", "invalid_request_error"],
  ["method_not_allowed", "invalid_request_error"],
  ["invalid_api_key", "authentication_error"],
  ["permission_denied", "permission_error"],
  ["model_not_found", "not_found_error"],
  ["request_too_large", "request_too_large"],
  ["rate_limit_exceeded", "rate_limit_error"],
  ["internal_error", "api_error"],
  ["upstream_unavailable", "overloaded_error"],
])("the fault %s is told as %s", (name, type) => {
  expect(JSON.parse(writeMessagesFault(new Fault(name, "why"), "req_1"))).toEqual({
    type: "error",
    error: { type, message: "why" },
    request_id: "req_1",
  });
});

describe("a vendor's refusal written by hand", () => {
  const body = (type: string, message: string) => ({ type: "error", error: { type, message } });

  test.each([
    [400, "invalid_request_error", "messages.0: wrong", "upstream_rejected"],
    [400, "invalid_request_error", "prompt is too long: 208310 tokens", "context_length_exceeded"],
    [
      400,
      "invalid_request_error",
      "Your credit balance is too low to go on",
      "upstream_unavailable",
    ],
    [413, "request_too_large", "too large", "upstream_rejected"],
    [401, "authentication_error", "invalid x-api-key", "upstream_unavailable"],
    [403, "permission_error", "no", "upstream_unavailable"],
    [404, "not_found_error", "model: x", "upstream_unavailable"],
    [429, "rate_limit_error", "slow", "upstream_unavailable"],
    [500, "api_error", "oops", "upstream_unavailable"],
    [529, "overloaded_error", "Overloaded", "upstream_unavailable"],
  ])("%d %s: %s", (status, type, message, fault) => {
    const read = readMessagesFault(status, body(type, message));
    expect(read.fault as string).toBe(fault);
    if (status === 400 && fault !== "upstream_unavailable") expect(read.message).toBe(message);
  });

  test("without a body is one all the same", () => {
    expect(readMessagesFault(502, undefined).status).toBe(503);
    expect(readMessagesFault(400, undefined).status).toBe(400);
  });
});
