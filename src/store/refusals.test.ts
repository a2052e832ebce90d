import { describe, expect, test } from "bun:test";
import { ENGINES } from "../../test/store/engines.ts";
import { customer, NO_LIMITS, receipt, request } from "../../test/store/samples.ts";
import { perSuite } from "../../test/support/houses/house.ts";
import type { NewKey } from "../accounts/account.ts";
import type { Receipt } from "../ledger/receipt.ts";
import { newId } from "../lib/ids.ts";
import { NO_USAGE } from "../protocols/usage.ts";
import type { Store } from "./store.ts";

const HOUR_MS = 3_600_000;

/** What refusals of a key share, or a part of it. */
function shared(key: NewKey, over: Partial<Receipt>): Receipt {
  return receipt(request(key, 0n), 0n, {
    requestId: newId("req_"),
    createdAtMs: Date.now(),
    status: 404,
    billingReason: "refused",
    errorCode: "model_not_found",
    channel: null,
    responseId: null,
    usage: NO_USAGE,
    charge: { lines: [], amount: 0n },
    held: 0n,
    ...over,
  });
}

for (const engine of ENGINES) {
  describe(`refusals on ${engine.name}`, () => {
    const site = perSuite(engine.site);
    const store = perSuite(async (parts) => {
      const opened = await site.open();
      parts.defer(async () => {
        expect(await opened.ledger.verify()).toMatchObject({ problems: [] });
      });
      return opened;
    });
    const money = perSuite(() => site.reads());

    test("that share a receipt add up in it, in the lists and in every sum", async () => {
      const made = await customer(store, { credit: 100n });
      const first = shared(made, { requests: 1, lastAtMs: Date.now() });
      await store.ledger.refuse(first);
      const lastAtMs = first.createdAtMs + 900;
      await store.ledger.refuse({ ...first, requests: 40, lastAtMs });
      await store.ledger.refuse({ ...first, requests: 7, lastAtMs: lastAtMs - 300 });
      const { requestId, accountId } = first;
      const sum = { requests: 48, lastAtMs };
      expect(await store.ledger.findReceipt(requestId, accountId)).toMatchObject(sum);
      const { reads } = money;
      const page = await reads.listRequests({ accountId, status: "refused", limit: 10 });
      expect(page).toMatchObject({ rows: [{ id: requestId, ...sum }], next: null });
      const hour = Math.floor(first.createdAtMs / HOUR_MS);
      const filter = { accountId, fromHour: hour, toHour: hour + 1 };
      const counts = { requests: 48, failures: 48 };
      expect(await reads.usageByHour(filter)).toMatchObject([{ hour, ...counts }]);
      expect(await reads.usageByModel(filter)).toMatchObject([{ model: first.model, ...counts }]);
      const days = await store.ledger.usage({ accountId, sinceMs: first.createdAtMs });
      expect(days).toMatchObject([counts]);
    });

    test("are in the tail of their own receipt once more of them came", async () => {
      const made = await customer(store, { credit: 100n });
      const first = shared(made, { requests: 1, lastAtMs: Date.now() });
      await store.ledger.refuse(first);
      await store.ledger.refuse({ ...first, requests: 5 });
      const filter = { accountId: made.accountId };
      const tail = await money.reads.requestsSince(filter, first.requestId, 10);
      expect(tail).toMatchObject([{ id: first.requestId, requests: 6 }]);
    });

    test("count for every process, and say when the key has no request left", async () => {
      const made = await customer(store, { credit: 1_000n });
      const other = await site.open({ serve: false });
      const refuse = (by: Store, requests: number) =>
        by.ledger.refuse(shared(made, {}), { requests, max: 10 });
      expect(await refuse(store, 1)).toBe(0);
      expect(await refuse(other, 8)).toBe(0);
      expect(await refuse(store, 1)).toBeGreaterThan(0);
      const limits = { ...NO_LIMITS, requestsPerMinute: 10 };
      const asked = await other.admission.admit({ ...request(made, 5n), limits });
      expect(asked).toMatchObject({ kind: "limited", limit: "requests", used: 10 });
    });

    test("by other limits of the key are requests too", async () => {
      const made = await customer(store, { credit: 1_000n });
      const limits = { requestsPerMinute: 3, tokensPerMinute: 50, concurrency: 0 };
      const ask = () => store.admission.admit({ ...request(made, 5n), tokens: 40, limits });
      expect(await ask()).toMatchObject({ kind: "admitted" });
      expect(await ask()).toMatchObject({ kind: "limited", limit: "tokens" });
      expect(await ask()).toMatchObject({ kind: "limited", limit: "tokens" });
      expect(await ask()).toMatchObject({ kind: "limited", limit: "requests", used: 3 });
    });
  });
}
