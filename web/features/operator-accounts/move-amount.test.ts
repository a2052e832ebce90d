import { expect, test } from "bun:test";
import type { Translate } from "../../i18n/language.tsx";
import { moveError } from "./move-amount.ts";

const t = ((key: string) => key) as Translate;

test.each([
  ["12.50", undefined],
  ["1,000,000.00", undefined],
  ["1000000.01", "errors.atMost"],
  ["123456789.12", "errors.atMost"],
  ["$ 12345678901234567890", "errors.atMost"],
  ["0", "errors.amount"],
  ["-5", "errors.amount"],
  ["ten", "errors.amount"],
])("an amount of %p is refused with %p", (typed, error) => {
  expect(moveError(typed, t)).toBe(error as never);
});
