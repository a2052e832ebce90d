import { expect, test } from "bun:test";
import type { KeySummary, SecretExchange } from "../accounts/account.ts";
import { Accounts } from "../accounts/accounts.ts";
import { StorageError } from "../lib/faults.ts";
import type { CommandContext } from "./context.ts";
import { rotateKey } from "./key-ends.ts";

type Keys = CommandContext["store"]["accounts"];

/** A key of a store that says so of the exchange of its secret. */
function setUp(replaceSecret: Keys["replaceSecret"]) {
  const withdrawn: SecretExchange[] = [];
  const key = { id: "key_1", lastFour: "abcd", formerSecrets: [], deletedAtMs: null };
  const accounts: Partial<Keys> = {
    describeKey: async () => key as unknown as KeySummary,
    addSecret: async () => "hash of before",
    replaceSecret,
    withdrawSecret: async (exchange) => void withdrawn.push(exchange),
  };
  const store = { accounts: accounts as Keys };
  const context = { store, accounts: new Accounts(store.accounts, () => 5, 0) };
  return { withdrawn, context: context as unknown as CommandContext };
}

test("a key keeps its secret where it is not known whether it has got another", async () => {
  const { withdrawn, context } = setUp(async () => {
    throw new StorageError("connection lost");
  });
  await expect(rotateKey(context, ["key_1"])).rejects.toThrow("connection lost");
  expect(withdrawn).toMatchObject([{ keyId: "key_1", from: "hash of before" }]);
});

test("a secret that another one was quicker than is not shown", async () => {
  const { withdrawn, context } = setUp(async () => false);
  await expect(rotateKey(context, ["key_1"])).rejects.toThrow("was rotated or deleted");
  expect(withdrawn).toHaveLength(1);
});
