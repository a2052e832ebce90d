import { expect, test } from "bun:test";
import type { Hit } from "../../src/console/contract/search.ts";
import { addressOf, isWorthAsking, mergeHits } from "./search-hits.ts";

const hit = (kind: Hit["kind"], id: string, account: string | null): Hit => ({
  ...{ kind, id, name: id, hint: null },
  ...{ account_id: account, account_name: null },
});

test("what is one's own leads to one's own pages, and the rest to its account's", () => {
  const to = (kind: Hit["kind"], account: string | null) =>
    addressOf(hit(kind, "x", account), "acct_me");
  expect(to("key", "acct_me")).toBe("/keys/x");
  expect(to("key", "acct_1")).toBe("/operator/accounts/acct_1/keys/x");
  expect(to("request", "acct_1")).toBe("/operator/accounts/acct_1/requests?request=x");
  expect(to("person", "acct_me")).toBe("/team");
  expect(to("draft", "acct_1")).toBe("/operator/accounts/acct_1/drafts/x");
  expect(to("model", null)).toBe("/models?model=x");
  // An account's page is the operator's, their own account's too.
  expect(to("account", "acct_me")).toBe("/operator/accounts/acct_me");
});

test("what two lists have found is there once, and one person in two accounts twice", () => {
  const mine = hit("key", "key_1", "acct_me");
  const lists = [[mine], [hit("key", "key_1", "acct_me"), hit("person", "u", "acct_1")]];
  expect(mergeHits(...lists, [hit("person", "u", "acct_2")]).map(({ id }) => id)).toEqual([
    "key_1",
    "u",
    "u",
  ]);
});

test("one letter is not asked for, one sign of Chinese is", () => {
  expect(["", "a", "ab", "账"].map(isWorthAsking)).toEqual([false, false, true, true]);
});
