import { expect, test } from "bun:test";
import { KeptIntents } from "./kept-intents.ts";

const DAY_MS = 86_400_000;
const ACTION = "user_1 /api/operator/accounts/acct_1/credit 20";

/** What a tab keeps over reloads. */
function tab() {
  const kept = new Map<string, string>();
  return {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
  };
}

test("a wish without an answer has one intent, also after the page was loaded anew", () => {
  const storage = tab();
  const intent = new KeptIntents(() => storage).of(ACTION, 0);
  const reloaded = new KeptIntents(() => storage);
  expect(reloaded.of(ACTION, DAY_MS - 1)).toBe(intent);
  expect(reloaded.of(`${ACTION}0`, 0)).not.toBe(intent);
  expect(reloaded.of(ACTION.replace("user_1", "user_2"), 0)).not.toBe(intent);
});

test("the same wish after an answer, or a day later, is another intent", () => {
  const storage = tab();
  const intents = new KeptIntents(() => storage);
  const first = intents.of(ACTION, 0);
  const late = intents.of(ACTION, DAY_MS);
  intents.answered(ACTION);
  const again = new KeptIntents(() => storage).of(ACTION, DAY_MS);
  expect(new Set([first, late, again]).size).toBe(3);
});

test("where nothing may be stored, it lasts as long as the page", () => {
  const intents = new KeptIntents(() => {
    throw new Error("forbidden");
  });
  const intent = intents.of(ACTION, 0);
  expect(intents.of(ACTION, 1)).toBe(intent);
  intents.answered(ACTION);
  expect(intents.of(ACTION, 2)).not.toBe(intent);
});
