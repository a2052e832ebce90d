import { describe, expect, test } from "bun:test";
import { Fault, type FaultName } from "../../lib/faults.ts";
import { faultOfAnswer, readGeminiFault, writeGeminiFault } from "./faults.ts";

function body(code: number, status: string, message: string, details?: object[]) {
  return { error: { code, message, status, ...(details ? { details } : {}) } };
}

describe("a documented refusal by the vendor", () => {
  test("of the client's own making is told in the vendor's words", () => {
    const fault = readGeminiFault(400, body(400, "INVALID_ARGUMENT", "topK must be positive"));
    expect([fault.fault, fault.message]).toEqual(["upstream_rejected", "topK must be positive"]);
  });

  test("is read in a list as well", () => {
    const fault = readGeminiFault(400, [body(400, "INVALID_ARGUMENT", "no such field")]);
    expect(fault.message).toBe("no such field");
  });

  test("of a conversation that is too long is told as such", () => {
    const message =
      "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).";
    const fault = readGeminiFault(400, body(400, "INVALID_ARGUMENT", message));
    expect([fault.fault, fault.status]).toEqual(["context_length_exceeded", 400]);
  });

  test("that quotes a client at any length is read at once", () => {
    const message = "token count ".repeat(100_000);
    const fault = readGeminiFault(400, body(400, "INVALID_ARGUMENT", message));
    expect(fault.fault).toBe("upstream_rejected");
  }, 10_000);

  const reason = { reason: "API_KEY_INVALID", domain: "googleapis.com" };
  test.each([
    [400, body(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.")],
    [400, body(400, "INVALID_ARGUMENT", "Bad credential.", [reason])],
    [400, body(400, "FAILED_PRECONDITION", "User location is not supported for the API use.")],
    [401, body(401, "UNAUTHENTICATED", "Request had invalid credentials.")],
    [403, body(403, "PERMISSION_DENIED", "Denied.")],
    [404, body(404, "NOT_FOUND", "models/x is not found")],
    [429, body(429, "RESOURCE_EXHAUSTED", "Quota exceeded")],
    [500, body(500, "INTERNAL", "An internal error has occurred")],
    [503, body(503, "UNAVAILABLE", "The model is overloaded.")],
    [502, "<html>"],
  ])("with %i that is not the client's fault is a 503 without its words", (status, told) => {
    const fault = readGeminiFault(status, told);
    expect(fault.fault).toBe("upstream_unavailable");
    expect(fault.message).not.toMatch(/API key|Denied|Quota/);
  });

  test("never shows a key of the vendor's", () => {
    const fault = readGeminiFault(400, body(400, "INVALID_ARGUMENT", "bad AIzaSyA1234567890-abc"));
    expect(fault.message).toBe("bad …");
  });
});

test("an error inside an answer is judged by its own code", () => {
  const overloaded = { code: 503, message: "The model is overloaded.", status: "UNAVAILABLE" };
  expect(faultOfAnswer(overloaded).status).toBe(503);
  expect(faultOfAnswer({ code: 400, message: "no", status: "INVALID_ARGUMENT" }).message).toBe(
    "no",
  );
  expect(faultOfAnswer({ message: "who knows" }).status).toBe(503);
});

test.each<[FaultName, number, string]>([
  ["invalid_value", 400, "INVALID_ARGUMENT"],
  ["budget_exceeded", 400, "INVALID_ARGUMENT"],
  ["invalid_api_key", 401, "UNAUTHENTICATED"],
  ["permission_denied", 403, "PERMISSION_DENIED"],
  ["model_not_found", 404, "NOT_FOUND"],
  ["request_too_large", 413, "INVALID_ARGUMENT"],
  ["rate_limit_exceeded", 429, "RESOURCE_EXHAUSTED"],
  ["internal_error", 500, "INTERNAL"],
  ["upstream_unavailable", 503, "UNAVAILABLE"],
])("the fault %s is written with %i and %s", (name, code, status) => {
  const text = writeGeminiFault(new Fault(name, "words"));
  expect(JSON.parse(text)).toEqual({ error: { code, message: "words", status } });
});
