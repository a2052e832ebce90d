import { expect, test } from "bun:test";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import type { Translate } from "../i18n/language.tsx";
import { Button } from "../ui/button.tsx";
import { ApiError, OWN_WORDS } from "./api.ts";
import { emailError, errorsOf, newPasswordError, webAddressError } from "./checks.ts";
import { errorWords } from "./error-words.ts";

const t = ((key: string, values?: object) =>
  values ? `${key} ${JSON.stringify(values)}` : key) as Translate;

test("what cannot be right is told before anything is sent", () => {
  expect(["", " ", "ada", "ada@", "a b@c", "ada@x"].map((typed) => emailError(typed, t))).toEqual([
    ...["errors.required", "errors.required", "errors.badEmail", "errors.badEmail"],
    ...["errors.badEmail", undefined],
  ]);
  expect(
    ["", "123456789", "1234567890", "x".repeat(129)].map((p) => newPasswordError(p, t)),
  ).toEqual(["errors.passwordShort", "errors.passwordShort", undefined, "errors.passwordLong"]);
  expect(webAddressError("", t)).toBe("errors.required");
  expect(webAddressError("example.com/x", t)).toBe("errors.webAddress");
  expect(webAddressError("ftp://example.com", t)).toBe("errors.webAddress");
  expect(webAddressError(" https://example.com/x ", t)).toBeUndefined();
  expect(errorsOf({ a: undefined, b: "wrong" })).toEqual({ b: "wrong" });
});

test("no button lets the browser complain in its own language", () => {
  const markup = (type?: "submit") =>
    renderToStaticMarkup(createElement(Button, { ...(type && { type }) }));
  expect(markup("submit")).toContain("formNoValidate");
  expect(markup()).not.toContain("formNoValidate");
});

test("a refusal is told by its reason, its code, or with a word before the server's own", () => {
  const refusal = (code: string, facts: object = {}) =>
    errorWords(new ApiError(400, code, "Said by the server.", "code", { ...facts }), t);
  expect(refusal("invalid_value", { reason: "code_used" })).toBe("errors.reason_code_used");
  expect(refusal("invalid_value", { reason: "constructor" })).toContain("errors.saidByServer");
  expect(refusal("decimal_below_min_value", { limit: "1.00" })).toBe(
    'errors.atLeast {"limit":"1.00"}',
  );
  expect(refusal(OWN_WORDS)).toBe("Said by the server.");
  expect(refusal("invalid_value")).toBe('errors.saidByServer {"words":"Said by the server."}');
});
