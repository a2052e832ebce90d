import { expect, test } from "bun:test";
import type { Operation } from "../../money/operations.ts";
import { AT } from "../../rows.ts";
import { LockedAccounts } from "./locked-accounts.ts";

const cancel = (requestId: string): Operation => {
  return { kind: "cancel", requestId, accountId: "acct_1", keyId: "key_1" };
};

const end = (requestId: string): Operation => {
  const row = { [AT.id]: requestId, [AT.accountId]: "acct_1" };
  return { kind: "settle", row } as unknown as Operation;
};

test("who comes when an account is free again stands in no line, however many still come", async () => {
  const [waits, comes, next] = [cancel("req_1"), cancel("req_2"), cancel("req_3")];
  const written: Operation[] = [];
  let isLocked = true;
  let came: Promise<unknown> | undefined;
  const accounts = new LockedAccounts(async (ops) => {
    if (isLocked) {
      isLocked = false;
      throw new Error("locked");
    }
    // As under load, where somebody comes while others are written.
    came ??= accounts.wait(comes);
    written.push(...ops);
    return ops.map(() => null);
  }, 600_000);
  const first = accounts.wait(waits);
  expect(accounts.has(next)).toBe(true);
  await first;
  expect(accounts.has(next)).toBe(false);
  await came;
  await accounts.settled();
  expect(written).toEqual([waits, comes]);
  expect(accounts.isEmpty).toBe(true);
});

test("an end that is withdrawn while it is tried is not tried again", async () => {
  const tries: Operation[][] = [];
  const accounts = new LockedAccounts(async (ops) => {
    tries.push([...ops]);
    accounts.withdraw("req_1", new Error("nobody waits"));
    throw new Error("locked");
  }, 600_000);
  const settle = end("req_1");
  expect(await accounts.wait(settle).catch((thrown: Error) => thrown.message)).toBe("nobody waits");
  await accounts.settled();
  expect(tries).toEqual([[settle]]);
});
