import { describe, expect, test } from "bun:test";
import type { Account, KeptSecret, NewKey } from "./account.ts";
import { Accounts } from "./accounts.ts";
import { hashSecret, isMistyped } from "./keys/secret.ts";
import type { AccountsStore } from "./store.ts";

function setUp(accountExists = true) {
  const saved = {
    accounts: [] as Account[],
    keys: [] as NewKey[],
    secrets: [] as (KeptSecret & { formerEndsAtMs: number })[],
  };
  const store: Partial<AccountsStore> = {
    createAccount: async (account) => void saved.accounts.push(account),
    createKey: async (key) => {
      if (accountExists) saved.keys.push(key);
      return accountExists;
    },
    replaceSecret: async (_id, secret, formerEndsAtMs) => {
      saved.secrets.push({ ...secret, formerEndsAtMs });
      return accountExists;
    },
  };
  return { saved, accounts: new Accounts(store as AccountsStore, () => 5, 3_000) };
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
    const { saved, accounts } = setUp();
    const key = { id: "key_1", lastFour: "abcd", formerSecrets: [] };
    const { secret = "", ...becomes } = (await accounts.rotateKey(key, 100)) ?? {};
    expect(saved.secrets).toEqual([
      { hash: hashSecret(secret), lastFour: secret.slice(-4), formerEndsAtMs: 105 },
    ]);
    expect(becomes).toEqual({
      lastFour: secret.slice(-4),
      formerSecrets: [{ lastFour: "abcd", endsAtMs: 105 }],
    });
  });

  test("leaves no more than five secrets of before that work, and counts none that has ended", async () => {
    const { saved, accounts } = setUp();
    const formerSecrets = [6, 7, 8, 9, 10, 5].map((endsAtMs) => ({ lastFour: "abcd", endsAtMs }));
    const key = { id: "key_1", lastFour: "abcd", formerSecrets };
    await expect(accounts.rotateKey(key, 1)).rejects.toThrow("still work");
    expect(saved.secrets).toEqual([]);
    expect((await accounts.rotateKey(key, 0))?.secret).toStartWith("sk-fg-");
    const fewer = { ...key, formerSecrets: formerSecrets.slice(1) };
    expect((await accounts.rotateKey(fewer, 1))?.secret).toStartWith("sk-fg-");
  });

  test("says when the account does not exist", async () => {
    expect(await setUp(false).accounts.createKey("acct_9", { name: "k" })).toBeUndefined();
  });
});
