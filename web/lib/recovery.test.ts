import { expect, test } from "bun:test";
import { ApiError, OFFLINE } from "./api.ts";
import { endsByItself, faultKind } from "./recovery.ts";

test.each([
  [0, OFFLINE, "offline", true],
  [502, OFFLINE, "offline", true],
  [503, "storage_unavailable", "storage", true],
  [503, "overloaded", "busy", true],
  [401, "not_signed_in", "signedOut", false],
  [403, "permission_denied", "notAllowed", false],
  [403, OFFLINE, "other", false],
  [500, "internal_error", "other", false],
])("a refusal of %i %s is of the kind %s", (status, code, kind, passes) => {
  const error = new ApiError(status, code, "", null);
  expect(faultKind(error)).toBe(kind as never);
  expect(endsByItself(error)).toBe(passes);
});

test("code that did not come is the network's fault, and a bug is none", () => {
  expect(faultKind(new TypeError("Failed to fetch dynamically imported module"))).toBe("offline");
  expect(faultKind(new Error("broken"))).toBe("other");
});
