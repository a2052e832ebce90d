import { expect, test } from "bun:test";
import { Fault } from "../../lib/faults.ts";
import type { Incoming } from "../../lib/route.ts";
import { sentBy } from "../../lib/serve-operation.ts";
import { READ_BOX, SHOW_FRAME } from "./console-drafts.ts";

const asked = (query: string) => ({ url: new URL(`http://c.test/${query}`) }) as Incoming;

function wordsOf(read: () => unknown): string {
  try {
    read();
  } catch (thrown) {
    if (thrown instanceof Fault) return `${thrown.fault} ${thrown.param}: ${thrown.message}`;
  }
  return "";
}

test.each([
  ["", { offset: 0, count: 20 }],
  ["?offset=40&count=5", { offset: 40, count: 5 }],
  ["?count=0", { offset: 0, count: 1 }],
  ["?account=mine", { account: "mine", offset: 0, count: 20 }],
])("a page of the box is asked for by '%s'", (query, page) => {
  expect(sentBy(READ_BOX, asked(query)).query()).toEqual(page);
});

test.each([
  ["?offset=-1", "invalid_value offset: offset must be a whole number up to 100000."],
  ["?offset=100001", "invalid_value offset: offset must be a whole number up to 100000."],
  ["?count=21", "invalid_value count: count must be a whole number up to 20."],
  ["?count=2.5", "invalid_value count: count must be a whole number up to 20."],
])("'%s' asks for no page of the box", (query, words) => {
  expect(wordsOf(sentBy(READ_BOX, asked(query)).query)).toBe(words);
});

test.each([
  ["?article=x", "invalid_value article: article must be a whole number."],
  ["?article=-1", "invalid_value article: article must be a whole number."],
  ["?article=1.0", "invalid_value article: article must be a whole number."],
  ["?article=%20", "invalid_value article: article must be a whole number."],
  ["?article=0x1", "invalid_value article: article must be a whole number."],
  ["?version=1e2", "invalid_value version: version must be a whole number."],
  ["?version=1.5", "invalid_value version: version must be a whole number."],
  ["?version=1000000", "invalid_value version: version must be a whole number."],
])("'%s' shows no article", (query, words) => {
  expect(wordsOf(sentBy(SHOW_FRAME, asked(query)).query)).toBe(words);
});

test("the first article of the newest version is shown unless another is named", () => {
  expect(sentBy(SHOW_FRAME, asked("")).query()).toEqual({ article: 0 });
  const other = sentBy(SHOW_FRAME, asked("?version=3&article=1")).query();
  expect(other).toEqual({ version: 3, article: 1 });
});
