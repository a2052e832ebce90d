import { describe, expect, test } from "bun:test";
import { faultOfEvent, faultOfVendor, readVendorError } from "./faults.ts";

const body = (error: object) => ({ error });

describe("faultOfVendor", () => {
  test.each([400, 413, 422])("%p is the client's mistake, in the vendor's words", (status) => {
    const fault = faultOfVendor(status, body({ message: "Bad tool.", param: "tools[0]" }));
    expect([fault.status, fault.type, fault.param, fault.message]).toEqual([
      400,
      "invalid_request_error",
      "tools[0]",
      "Bad tool.",
    ]);
  });

  test.each([401, 402, 403, 404, 408, 409, 429, 500, 502, 503, 529, 301])(
    "%p is not: 503, without the vendor's words",
    (status) => {
      const fault = faultOfVendor(status, body({ message: "Your key sk-abcdef is out of quota" }));
      expect(fault.status).toBe(503);
      expect(JSON.stringify(fault.toJson())).not.toContain("quota");
      expect(String((fault.cause as Error).message)).toContain(String(status));
    },
  );

  test("nothing that looks like a credential passes, wherever the vendor put it", () => {
    const message = "Incorrect API key: sk-proj-ABCD1234***xyz, key-0123456789 or sk-svc_1-22";
    const fault = faultOfVendor(400, body({ message }));
    expect(fault.message).not.toMatch(/ABCD1234|0123456789|svc_1/);
    expect((faultOfVendor(401, body({ message })).cause as Error).message).not.toMatch(/ABCD1234/);
  });

  test("an overlong message is cut, a missing one replaced", () => {
    expect(faultOfVendor(400, body({ message: "x".repeat(9_999) })).message.length).toBe(2_000);
    expect(faultOfVendor(400, undefined).message).toContain("400");
    expect(faultOfVendor(400, "<html>").message).not.toContain("html");
  });

  test("a context that is too long keeps its name", () => {
    const fault = faultOfVendor(
      400,
      body({ message: "Too long.", code: "context_length_exceeded" }),
    );
    expect(fault.code).toBe("context_length_exceeded");
  });
});

/** Of our account with a vendor, by whose limit one request is too large. */
const TOO_LARGE = "Request too large for m in organization org-7 on tokens per min (TPM): Limit 3.";

describe("faultOfEvent", () => {
  test.each([
    [body({ message: "long", code: "context_length_exceeded" }), 400, "context_length_exceeded"],
    [body({ message: "no", code: "invalid_prompt" }), 400, "upstream_rejected"],
    [body({ message: "no", type: "invalid_request_error" }), 400, "upstream_rejected"],
    [{ type: "error", code: "invalid_prompt", message: "no" }, 400, "upstream_rejected"],
    [body({ message: "quota", code: "insufficient_quota" }), 503, "upstream_unavailable"],
    [body({ message: TOO_LARGE, code: "rate_limit_exceeded" }), 400, "upstream_rejected"],
    [
      body({ message: "Rate limit reached", code: "rate_limit_exceeded" }),
      503,
      "upstream_unavailable",
    ],
    [body({ message: TOO_LARGE, code: "server_error" }), 503, "upstream_unavailable"],
    [body({ message: "oops", type: "server_error" }), 503, "upstream_unavailable"],
    [{}, 503, "upstream_unavailable"],
    [null, 503, "upstream_unavailable"],
  ])("%p is %p %p", (event, status, code) => {
    const fault = faultOfEvent(event);
    expect([fault.status, fault.code]).toEqual([status, code]);
    expect(fault.message).not.toContain("org-7");
  });
});

test("readVendorError finds the error in its wrapper or bare", () => {
  const error = { message: "m", code: "c", param: "p" };
  expect(readVendorError({ error })).toEqual(error);
  expect(readVendorError(error)).toEqual(error);
  expect(readVendorError({ error: { message: 5, code: null } })).toEqual({
    message: undefined,
    code: undefined,
    param: undefined,
  });
});
