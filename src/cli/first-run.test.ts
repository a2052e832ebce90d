import { afterEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Accounts } from "../accounts/accounts.ts";
import { hashSecret } from "../accounts/secret.ts";
import { openSqlite } from "../store/sqlite/open.ts";
import { firstRun } from "./first-run.ts";

const folder = mkdtempSync(join(tmpdir(), "faregate-first-run-"));
const store = await openSqlite(folder, { create: true, serve: true });
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

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
