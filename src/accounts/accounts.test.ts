import { describe, expect, test } from "bun:test";
import type { Account, NewKey, SecretExchange } from "./account.ts";
import { Accounts } from "./accounts.ts";
import { hashSecret, isMistyped } from "./keys/secret.ts";
import type { AccountsStore } from "./store.ts";

function setUp(accountExists = true) {
  const saved = {
    accounts: [] as Account[],
    keys: [] as NewKey[],
    exchanges: [] as (SecretExchange & { formerEndsAtMs: number })[],
  };
  const store: Partial<AccountsStore> = {
    createAccount: async (account) => void saved.accounts.push(account),
    createKey: async (key) => {
      if (accountExists) saved.keys.push(key);
      return accountExists;
    },
    addSecret: async () => "hash of before",
    replaceSecret: async (exchange, formerEndsAtMs) => {
      saved.exchanges.push({ ...exchange, formerEndsAtMs });
      return true;
    },
  };
  const accounts = new Accounts(store as AccountsStore, () => 5, 3_000);
  const prepared = async () => {
    const secret = await accounts.prepareSecret("key_1");
    if (!secret) throw new Error("no secret was prepared");
    return secret;
  };
  return { saved, accounts, prepared };
}

describe("Accounts", () => {
  test("makes an account that is neither the operator's nor hard unless asked", async () => {
    const { saved, accounts } = setUp();
    await accounts.createAccount("plain");
    await accounts.createAccount("special", { operator: true, hard: true });
    expect(saved.accounts).toMatchObject([
      { name: "plain", operator: false, hard: false, enabled: true, createdAtMs: 5 },
      { name: "special", operator: true, hard: true },
    ]);
    expect(saved.accounts[0]?.id).toMatch(/^acct_/);
  });

  test("stores a key only as its hash and its last four characters", async () => {
    const { saved, accounts } = setUp();
    const created = await accounts.createKey("acct_1", { name: "k" });
    const [stored] = saved.keys;
    const secret = created?.key ?? "";
    expect(isMistyped(secret)).toBe(false);
    expect(stored?.hash).toBe(hashSecret(secret));
    expect(stored?.lastFour).toBe(secret.slice(-4));
    expect(stored?.id).toBe(created?.id ?? "");
    expect(JSON.stringify(stored)).not.toContain(secret);
  });

  test("what is not said is open, but for the default rate", async () => {
    const { saved, accounts } = setUp();
    const budgets = [{ amount: 7n, period: "day", timeZone: "Asia/Tokyo" }] as const;
    await accounts.createKey("acct_1", { name: "k" });
    await accounts.createKey("acct_1", { name: "l", requestsPerMinute: 0, budgets });
    expect(saved.keys).toMatchObject([
      { requestsPerMinute: 3_000, tokensPerMinute: 0, budgets: [], models: null, enabled: true },
      { requestsPerMinute: 0, budgets, accountId: "acct_1", lastUsedAtMs: null },
    ]);
  });

  test("gives a key another secret, while the one before works on for a while", async () => {
    const { saved, accounts, prepared } = setUp();
    const key = { id: "key_1", lastFour: "abcd", formerSecrets: [] };
    const next = await prepared();
    const { secret } = next;
    const becomes = await accounts.rotateKey(key, 100, next);
    const to = { hash: hashSecret(secret), lastFour: secret.slice(-4) };
    expect(saved.exchanges).toEqual([
      { keyId: "key_1", from: "hash of before", to, formerEndsAtMs: 105 },
    ]);
    expect(becomes).toEqual({
      lastFour: secret.slice(-4),
      formerSecrets: [{ lastFour: "abcd", endsAtMs: 105 }],
    });
  });

  test("leaves no more than five secrets of before that work, and counts none that has ended", async () => {
    const { saved, accounts, prepared } = setUp();
    const formerSecrets = [6, 7, 8, 9, 10, 5].map((endsAtMs) => ({ lastFour: "abcd", endsAtMs }));
    const key = { id: "key_1", lastFour: "abcd", formerSecrets };
    const next = await prepared();
    await expect(accounts.rotateKey(key, 1, next)).rejects.toThrow("still work");
    expect(saved.exchanges).toEqual([]);
    expect(await accounts.rotateKey(key, 0, next)).toBeDefined();
    const fewer = { ...key, formerSecrets: formerSecrets.slice(1) };
    expect(await accounts.rotateKey(fewer, 1, next)).toBeDefined();
  });

  test("says when the account does not exist", async () => {
    expect(await setUp(false).accounts.createKey("acct_9", { name: "k" })).toBeUndefined();
  });
});
