import { expect, test } from "bun:test";
import { SQLITE } from "../../test/store/engines.ts";
import { perFile } from "../../test/support/houses/house.ts";
import { Accounts } from "../accounts/accounts.ts";
import { hashSecret } from "../accounts/keys/secret.ts";
import { firstRun } from "./first-run.ts";

const store = await perFile(async (parts) => (await SQLITE.site(parts)).open());

test("makes the operator's account, its credit and a key that works, once", async () => {
  const accounts = new Accounts(store.accounts, () => 1, 3_000);
  const first = await firstRun(store, accounts, () => 1);
  expect(first?.credit).toBe("5.0");
  const key = await store.accounts.findKey(hashSecret(first?.key ?? ""));
  expect(key).toMatchObject({ operator: true, enabled: true, accountRead: true });
  const balance = await store.ledger.balance(key?.accountId ?? "");
  expect(balance).toMatchObject({ credited: 5_000_000_000n, charged: 0n, trialOnly: true });
  expect(await firstRun(store, accounts, () => 2)).toBeUndefined();
  expect(await store.accounts.listAccounts()).toHaveLength(1);
  expect(await store.accounts.listKeys()).toHaveLength(1);
});
