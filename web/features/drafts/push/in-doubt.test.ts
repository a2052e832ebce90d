import { expect, test } from "bun:test";
import { ApiError, OFFLINE } from "../../../lib/api.ts";
import { inWords } from "../draft-calls.ts";
import { isInDoubt } from "./in-doubt.ts";

const refused = (status: number, code: string) => new ApiError(status, code, "", null);

test.each([
  ["an answer that was lost", refused(0, OFFLINE)],
  ["an answer that breaks off", new TypeError("terminated")],
  ["a proxy's own page", refused(502, OFFLINE)],
  ["a server that fails while it pushes", refused(500, "internal_error")],
  ["a row that could not be written", refused(503, "storage_unavailable")],
  ["a platform that did not answer", refused(502, "platform_unknown")],
  ["a push that still runs", refused(409, "push_busy")],
])("it is not known whether a push arrived after %s", (_, error) => {
  expect(isInDoubt(error)).toBe(true);
});

test.each([
  ["a platform that refuses", refused(502, "platform_refused")],
  ["a platform that was not reached", refused(503, "upstream_unavailable")],
  ["a proxy that failed", refused(502, "proxy_failed")],
  ["a token that is not to be had", refused(502, "token_unavailable")],
  ["checks that fail", refused(400, "preflight_failed")],
  ["a draft that is gone", refused(404, "not_found")],
  ["a session that has ended", refused(401, "not_signed_in")],
  ["what could not be saved", inWords("Somebody else has changed it.")],
])("nothing arrived after %s", (_, error) => {
  expect(isInDoubt(error)).toBe(false);
});
