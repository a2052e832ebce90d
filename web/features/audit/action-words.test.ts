import { expect, test } from "bun:test";
import type { Translate } from "../../i18n/language.tsx";
import { actionWords } from "./action-words.ts";

const t = ((key: string) => `<${key}>`) as Translate;

test("an action is told in words", () => {
  expect(actionWords("key.create", t)).toBe("<audit.action_key_create>");
  expect(actionWords("auto_topup.change", t)).toBe("<audit.action_auto_topup_change>");
});

test("an action without words is shown as it is written", () => {
  expect(actionWords("planet.move", t)).toBe("planet.move");
  expect(actionWords("constructor", t)).toBe("constructor");
});
