import { expect, test } from "bun:test";
import { KeptIntents } from "./kept-intents.ts";

const DAY_MS = 86_400_000;
const WISH = "user_1 /api/operator/accounts/acct_1/credit 20";

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
  const intent = new KeptIntents(() => storage).of(WISH, 0);
  const reloaded = new KeptIntents(() => storage);
  expect(reloaded.of(WISH, DAY_MS - 1)).toBe(intent);
  expect(reloaded.of(`${WISH}0`, 0)).not.toBe(intent);
  expect(reloaded.of(WISH.replace("user_1", "user_2"), 0)).not.toBe(intent);
});

test("the same wish after an answer, or a day later, is another intent", () => {
  const storage = tab();
  const intents = new KeptIntents(() => storage);
  const first = intents.of(WISH, 0);
  const late = intents.of(WISH, DAY_MS);
  intents.answered(WISH);
  const again = new KeptIntents(() => storage).of(WISH, DAY_MS);
  expect(new Set([first, late, again]).size).toBe(3);
});

test("where nothing may be stored, it lasts as long as the page", () => {
  const intents = new KeptIntents(() => {
    throw new Error("forbidden");
  });
  const intent = intents.of(WISH, 0);
  expect(intents.of(WISH, 1)).toBe(intent);
  intents.answered(WISH);
  expect(intents.of(WISH, 2)).not.toBe(intent);
});
