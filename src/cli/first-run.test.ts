import { expect, test } from "bun:test";
import { SQLITE } from "../../test/store/engines.ts";
import { partsOfTest } from "../../test/support/houses/house.ts";
import { Accounts } from "../accounts/accounts.ts";
import { hashSecret } from "../accounts/keys/secret.ts";
import { firstRun } from "./first-run.ts";

const parts = partsOfTest();

async function open() {
  const store = await (await SQLITE.site(parts)).open();
  return { store, accounts: new Accounts(store.accounts, () => 1, 3_000) };
}

test("makes the operator's account, its credit and a key that works, once", async () => {
  const { store, accounts } = await open();
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

const died = async (): Promise<never> => {
  throw new Error("died");
};

test.each(["credit", "createKey"] as const)(
  "goes on where the one before died at its %s",
  async (step) => {
    const { store, accounts } = await open();
    const broken =
      step === "credit"
        ? { ...store, ledger: { ...store.ledger, credit: died } }
        : { ...store, accounts: { ...store.accounts, createKey: died } };
    const failing = firstRun(broken, new Accounts(broken.accounts, () => 1, 3_000), () => 1);
    expect(await failing.catch(({ message }: Error) => message)).toBe("died");
    const first = await firstRun(store, accounts, () => 2);
    const key = await store.accounts.findKey(hashSecret(first?.key ?? ""));
    expect(key).toMatchObject({ operator: true, enabled: true, accountRead: true });
    const balance = await store.ledger.balance(key?.accountId ?? "");
    expect(balance).toMatchObject({ credited: 5_000_000_000n, trialOnly: true });
    expect(await firstRun(store, accounts, () => 3)).toBeUndefined();
  },
);

test("gives nothing to an operator's account that was in use", async () => {
  const { store, accounts } = await open();
  const { id } = await accounts.createAccount("operator", { operator: true });
  const key = await accounts.createKey(id, { name: "old" });
  expect(await firstRun(store, accounts, () => 2)).toBeUndefined();
  await store.accounts.deleteKey(key?.id ?? "", 3);
  expect(await firstRun(store, accounts, () => 4)).toBeUndefined();
  expect(await store.ledger.balance(id)).toMatchObject({ credited: 0n });
});

test("gives nothing to one that had credit and no key", async () => {
  const { store, accounts } = await open();
  const { id } = await accounts.createAccount("operator", { operator: true });
  const credit = { accountId: id, amount: 1n, kind: "topup", note: "", createdAtMs: 1 } as const;
  await store.ledger.credit({ ...credit, id: "top_1" });
  expect(await firstRun(store, accounts, () => 2)).toBeUndefined();
  expect(await store.ledger.balance(id)).toMatchObject({ credited: 1n });
});
