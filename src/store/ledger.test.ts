import { describe, expect, test } from "bun:test";
import { ENGINES } from "../../test/store/engines.ts";
import {
  admitted,
  attempt,
  customer,
  failureOf,
  key,
  onlyBudget,
  post,
  receipt,
  recovered,
  refusal,
  request,
  voidHold,
} from "../../test/store/samples.ts";
import { perSuite, perTest } from "../../test/support/houses/house.ts";
import { noise } from "../../test/support/samples/noise.ts";
import { RESPONSE_ID_CHARS_MAX } from "../ledger/receipt.ts";
import { newId } from "../lib/ids.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

for (const engine of ENGINES) {
  describe(`settlement on ${engine.name}`, () => {
    const site = perSuite(engine.site);
    const store = perSuite(async (parts) => {
      const opened = await site.open();
      parts.defer(async () => {
        expect(await opened.ledger.verify()).toMatchObject({ problems: [] });
      });
      return opened;
    });

    test("a post charges balance and budget and frees the hold", async () => {
      const made = await customer(store, { credit: 100n, budget: 80n });
      const asked = await admitted(store, made, 30n);
      expect(await post(store, asked, 12n)).toBe("done");
      expect(await store.ledger.balance(made.accountId)).toMatchObject({ charged: 12n, held: 0n });
      expect(await onlyBudget(store, made.id)).toMatchObject({ amount: 80n, used: 12n, held: 0n });
    });

    test("a void frees the hold and charges nothing", async () => {
      const made = await customer(store, { credit: 100n });
      const asked = await admitted(store, made, 30n);
      expect(await voidHold(store, asked)).toBe("done");
      expect(await store.ledger.balance(made.accountId)).toMatchObject({ charged: 0n, held: 0n });
      const found = await store.ledger.findReceipt(asked.requestId, made.accountId);
      expect(found).toMatchObject({ billingReason: "upstream_failed", status: 503 });
    });

    test("a hold is resolved once, whoever comes and in whatever batch", async () => {
      const made = await customer(store, { credit: 100n });
      const asked = await admitted(store, made, 30n);
      const other = await site.open({ serve: false });
      const results = await Promise.all([
        post(store, asked, 12n),
        voidHold(store, asked),
        post(store, asked, 12n),
        post(other, asked, 12n),
        voidHold(other, asked),
      ]);
      expect(results.filter((result) => result === "done")).toHaveLength(1);
      expect(results.filter((result) => result === "already")).toHaveLength(4);
      expect(await voidHold(store, asked)).toBe("already");
      const { charged, held } = (await store.ledger.balance(made.accountId)) ?? {};
      expect(held).toBe(0n);
      expect([0n, 12n]).toContain(charged as bigint);
      expect(await store.ledger.usage({ sinceMs: 0, keyId: made.id })).toMatchObject([
        { requests: 1 },
      ]);
      await other.close();
    });

    test("a request that was never admitted cannot be settled", async () => {
      const made = await customer(store, { credit: 100n });
      const stranger = request(made, 10n);
      expect(await post(store, stranger, 5n)).toBe("already");
      expect(await store.ledger.balance(made.accountId)).toMatchObject({ charged: 0n });
      expect(await store.ledger.findReceipt(stranger.requestId, made.accountId)).toBeUndefined();
    });

    test("a post above the hold is taken in full and drives the balance below zero", async () => {
      const made = await customer(store, { credit: 100n });
      const asked = await admitted(store, made, 100n);
      expect(asked).toMatchObject({ held: 100n, lone: false });
      await post(store, asked, 340n);
      const listed = await store.accounts.listAccounts();
      expect(listed.find(({ id }) => id === made.accountId)?.balance).toBe(-240n);
      expect(await store.admission.admit(request(made, 1n))).toMatchObject({
        kind: "exceeded",
        used: 340n,
        max: 100n,
      });
    });

    test("a void or a refusal that charges is refused, and its hold stays for the right one", async () => {
      const made = await customer(store, { credit: 100n });
      const asked = await admitted(store, made, 30n);
      const wrong = receipt(asked, 5n);
      const settled = store.ledger.settle({
        kind: "void",
        receipt: wrong,
      });
      expect((await failureOf(settled)).name).toBe("StorageError");
      const refused = store.ledger.refuse(receipt(request(made, 1n), 5n));
      expect((await failureOf(refused)).name).toBe("StorageError");
      expect(await store.ledger.balance(made.accountId)).toMatchObject({ held: 30n });
      expect(await voidHold(store, asked)).toBe("done");
    });

    test("a receipt comes back as it was given, by request id and by the answer's id", async () => {
      const made = await customer(store, { credit: 1_000n });
      const asked = await admitted(store, made, 30n, { model: "odd \0 \ud800 name" });
      const given = receipt(asked, 7n, {
        responseId: newId("resp_"),
        stream: true,
        firstByteMs: null,
        loss: 3n,
        outputClamp: 400,
        servedModel: "model-2.0",
        vendorCost: "0.000000007",
        attempts: [
          attempt({ channel: "far", credential: "9xYz", status: 503, code: "upstream_failed" }),
          attempt({ model: "model-2.0", startedMs: 6 }),
        ],
        charge: {
          lines: [
            { item: "input", quantity: 3, unitPico: 400_000n, amountPico: 1_200_000n },
            { item: "output", quantity: 7, unitPico: 828_571n, amountPico: 5_799_997n },
          ],
          amount: 7_000n,
        },
      });
      await store.ledger.settle({ kind: "post", receipt: given });
      const kept = { ...given, model: "odd \ufffd \ufffd name" };
      expect(await store.ledger.findReceipt(asked.requestId, made.accountId)).toEqual(kept);
      expect(await store.ledger.findReceipt(given.responseId as string, made.accountId)).toEqual(
        kept,
      );
    });

    test("a receipt is kept with the longest id that an answer may have", async () => {
      const made = await customer(store, { credit: 100n });
      const asked = await admitted(store, made, 30n);
      // Three bytes each, and nothing that could be packed.
      const wide = Array.from(
        noise(RESPONSE_ID_CHARS_MAX),
        (byte, at) => 0x4e00 + byte * 64 + (at % 64),
      );
      const responseId = String.fromCharCode(...wide);
      const given = receipt(asked, 7n, { responseId });
      const end = { kind: "post", receipt: given } as const;
      expect(await store.ledger.settle(end)).toBe("done");
      expect(await store.ledger.findReceipt(responseId, made.accountId)).toEqual(given);
    });

    test("of several receipts of one answer and one moment the newest is found", async () => {
      const made = await customer(store, { credit: 1_000n });
      const responseId = newId("resp_");
      const ids = [newId("req_"), newId("req_"), newId("req_")] as const;
      for (const requestId of [ids[1], ids[2], ids[0]]) {
        const each = await admitted(store, made, 1n, { requestId });
        const given = receipt(each, 1n, { responseId, createdAtMs: 5_000 });
        await store.ledger.settle({ kind: "post", receipt: given });
      }
      const found = await store.ledger.findReceipt(responseId, made.accountId);
      expect(found?.requestId).toBe(ids[2]);
    });

    test("a receipt is seen by its account, and by one key only when asked for it", async () => {
      const made = await customer(store, { credit: 100n });
      const sibling = key(made.accountId);
      await store.accounts.createKey(sibling);
      const stranger = await customer(store, { credit: 100n });
      const asked = await admitted(store, made, 30n);
      await post(store, asked, 1n);
      const find = (accountId: string, keyId?: string) =>
        store.ledger.findReceipt(asked.requestId, accountId, keyId);
      expect(await find(made.accountId)).toBeDefined();
      expect(await find(made.accountId, made.id)).toBeDefined();
      expect(await find(made.accountId, sibling.id)).toBeUndefined();
      expect(await find(stranger.accountId)).toBeUndefined();
      expect(await find(stranger.accountId, made.id)).toBeUndefined();
      expect(await store.ledger.findReceipt("req_\0", made.accountId)).toBeUndefined();
    });

    test("a refusal leaves one row, however often it is sent", async () => {
      const made = await customer(store, { credit: 0n });
      const asked = request(made, 10n, { model: "no-such-\0model" });
      await Promise.all([store.ledger.refuse(refusal(asked)), store.ledger.refuse(refusal(asked))]);
      await store.ledger.refuse(refusal(asked));
      const found = await store.ledger.findReceipt(asked.requestId, made.accountId);
      expect(found).toEqual({ ...refusal(asked), model: "no-such-\ufffdmodel" });
      expect(await store.ledger.usage({ sinceMs: 0, keyId: made.id })).toMatchObject([
        { requests: 1, failures: 1, cost: 0n, model: "no-such-\ufffdmodel" },
      ]);
      expect(await store.accounts.findKey(made.hash)).toMatchObject({
        lastUsedAtMs: expect.any(Number),
      });
    });

    test("usage adds receipts up by day, key and model", async () => {
      const made = await customer(store, { credit: 10_000n });
      const day = 20_000 * DAY_MS;
      const times = [day, day + HOUR_MS, day + DAY_MS - 1, day + DAY_MS];
      for (const createdAtMs of times) {
        const asked = await admitted(store, made, 30n);
        const paid = receipt(asked, 11n, { createdAtMs });
        await store.ledger.settle({ kind: "post", receipt: paid });
      }
      const other = await admitted(store, made, 30n, { model: "model-2.0" });
      const failed = receipt(other, 0n, { createdAtMs: day, status: 502 });
      await store.ledger.settle({ kind: "void", receipt: failed });

      const about = { accountId: made.accountId, keyId: made.id };
      const row = { ...about, model: "model-1.0", failures: 0 };
      expect(await store.ledger.usage({ ...about, sinceMs: day })).toEqual([
        {
          ...row,
          day: "2024-10-04",
          requests: 3,
          inputTokens: 48,
          outputTokens: 60,
          cost: 33n,
        },
        {
          ...about,
          model: "model-2.0",
          day: "2024-10-04",
          requests: 1,
          failures: 1,
          inputTokens: 16,
          outputTokens: 20,
          cost: 0n,
        },
        { ...row, day: "2024-10-05", requests: 1, inputTokens: 16, outputTokens: 20, cost: 11n },
      ]);
      const later = await store.ledger.usage({ keyId: made.id, sinceMs: day + DAY_MS });
      expect(later).toHaveLength(1);
    });

    test("usage of one model, and of all keys of an account together", async () => {
      const made = await customer(store, { credit: 10_000n });
      const second = key(made.accountId, { name: "second" });
      await store.accounts.createKey(second);
      const createdAtMs = 20_000 * DAY_MS;
      for (const [whose, model] of [
        [made, "model-1.0"],
        [second, "model-1.0"],
        [second, "model-2.0"],
      ] as const) {
        const asked = await admitted(store, whose, 30n, { model });
        const paid = receipt(asked, 11n, { createdAtMs });
        await store.ledger.settle({ kind: "post", receipt: paid });
      }
      const about = { accountId: made.accountId, sinceMs: createdAtMs };
      const together = await store.ledger.usage({ ...about, keysTogether: true });
      expect(together.map(({ keyId, model, requests }) => [keyId, model, requests])).toEqual([
        ["", "model-1.0", 2],
        ["", "model-2.0", 1],
      ]);
      const ofOne = await store.ledger.usage({ ...about, model: "model-1.0" });
      expect(ofOne.map(({ model, requests }) => [model, requests])).toEqual([
        ["model-1.0", 1],
        ["model-1.0", 1],
      ]);
    });
  });

  describe(`recovery on ${engine.name}`, () => {
    const site = perTest(engine.site);

    test("holds of a process that is gone are voided once, with a receipt and the loss", async () => {
      const first = await site.open();
      const made = await customer(first, { credit: 100n, budget: 100n });
      const lost = await admitted(first, made, 30n, { inputCost: 9n, stream: true });
      await admitted(first, made, 20n);
      await post(first, await admitted(first, made, 10n), 5n);
      await first.close();

      const second = await site.open();
      expect(await recovered(second)).toBe(2);
      expect(await recovered(second)).toBe(0);
      expect(await second.ledger.balance(made.accountId)).toMatchObject({
        charged: 5n,
        held: 0n,
      });
      const found = await second.ledger.findReceipt(lost.requestId, made.accountId);
      expect(found).toMatchObject({
        billingReason: "interrupted",
        status: 500,
        stream: true,
        model: lost.model,
        held: 30n,
        loss: 9n,
        charge: { lines: [], amount: 0n },
      });
      expect(await second.ledger.verify()).toMatchObject({ openHolds: 0, problems: [] });
    });

    test("holds of a living process are left alone, its own and another's", async () => {
      const server = await site.open();
      const made = await customer(server, { credit: 100n });
      const asked = await admitted(server, made, 30n);
      expect(await recovered(server)).toBe(0);
      const beside = await site.open({ serve: false, create: false });
      expect(await recovered(beside)).toBe(0);
      expect(await server.ledger.balance(made.accountId)).toMatchObject({ held: 30n });
      expect(await post(server, asked, 3n)).toBe("done");
    });

    test("more holds than one batch takes are recovered at once", async () => {
      const first = await site.open();
      const made = await customer(first, { credit: 1_000n });
      await Promise.all(Array.from({ length: 300 }, () => admitted(first, made, 2n)));
      await first.close();
      const second = await site.open();
      expect(await recovered(second)).toBe(300);
      expect(await second.ledger.balance(made.accountId)).toMatchObject({ held: 0n });
      expect(await second.ledger.verify()).toMatchObject({ receipts: 300, problems: [] });
    });
  });
}
