import { expect, test } from "bun:test";
import type { Operation } from "../money/operations.ts";
import { LockedAccounts } from "./locked-accounts.ts";

const cancel = (requestId: string): Operation => {
  return { kind: "cancel", requestId, accountId: "acct_1", keyId: "key_1" };
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
