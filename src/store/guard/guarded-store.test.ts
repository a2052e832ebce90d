import { expect, test } from "bun:test";
import { keptLog } from "../../../test/support/logs.ts";
import { readConfig } from "../../config/config.ts";
import { StorageError } from "../../lib/faults.ts";
import type { Store } from "../store.ts";
import { guardedStore } from "./guarded-store.ts";

test("what was written before something failed does not end the outage", async () => {
  const plain = {
    accounts: {
      findKey() {
        throw new StorageError("disk full");
      },
    },
    ...{ admission: {}, ledger: {}, conversations: {}, keptAnswers: {}, sql: {} },
    async ping() {},
    async close() {},
  } as unknown as Store;
  const { log, logged } = keptLog();
  const store = guardedStore(plain, readConfig({}).limits, log);
  await store.ping();
  expect(() => store.accounts.findKey("any")).toThrow("disk full");
  // One proof is for all who ask within a second, and this one is older than the failure.
  await store.ping();
  expect([logged("storage_failed").length, logged("storage_recovered").length]).toEqual([1, 0]);
  await store.close();
});
