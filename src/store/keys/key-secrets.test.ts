import { describe, expect, test } from "bun:test";
import { ENGINES } from "../../../test/store/engines.ts";
import { admitted, customer, key, post } from "../../../test/store/samples.ts";
import { perSuite } from "../../../test/support/houses/house.ts";
import { FORMER_SECRET_KEPT_MS } from "./key-secrets.ts";

const HOUR_MS = 3_600_000;

/** Another secret, as it is kept. */
let made = 0;
function secret() {
  made += 1;
  return { hash: `another hash ${made}`, lastFour: `n${String(made).padStart(3, "0")}` };
}

for (const engine of ENGINES) {
  describe(`the secrets of a key on ${engine.name}`, () => {
    const site = perSuite(engine.site);
    const store = perSuite(() => site.open());

    test("a new one opens the same key, and the one before until it ends", async () => {
      const old = await customer(store, { credit: 100n, budget: 10n });
      const before = await store.accounts.findKey(old.hash);
      const next = secret();
      expect(await store.accounts.replaceSecret(old.id, next, 5_000)).toBe(true);
      const { lastFour } = next;
      const shown = { ...(before as NonNullable<typeof before>), lastFour };
      expect(await store.accounts.findKey(next.hash)).toEqual(shown);
      expect(await store.accounts.findKey(old.hash)).toEqual({ ...shown, secretEndsAtMs: 5_000 });
      expect(await store.accounts.describeKey(old.id)).toMatchObject({
        lastFour,
        formerSecrets: [{ lastFour: "abcd", endsAtMs: 5_000 }],
        budgets: [{ amount: 10n }],
      });
    });

    test("one that is added opens it beside the one it has, until it takes its place", async () => {
      const old = await customer(store, { credit: 0n });
      const endsAtMs = Date.now() + HOUR_MS;
      const [next, dropped] = [secret(), secret()];
      expect(await store.accounts.addSecret(old.id, next, endsAtMs)).toBe(true);
      await store.accounts.addSecret(old.id, dropped, endsAtMs);
      await store.accounts.addSecret(old.id, dropped, 7);
      const endOf = async ({ hash }: { hash: string }) =>
        (await store.accounts.findKey(hash))?.secretEndsAtMs;
      expect(await Promise.all([old, next, dropped].map(endOf))).toEqual([null, endsAtMs, 7]);
      await store.accounts.replaceSecret(old.id, next, 5_000);
      expect(await Promise.all([old, next].map(endOf))).toEqual([5_000, null]);
      expect(await store.accounts.describeKey(old.id)).toMatchObject({
        lastFour: next.lastFour,
        formerSecrets: [{ lastFour: "abcd" }],
      });
      expect(await store.accounts.addSecret("key_none", secret(), endsAtMs)).toBe(false);
    });

    test("several of before end each at its own time, or all at once", async () => {
      const old = await customer(store, { credit: 0n });
      const nowMs = Date.now();
      const [second, third] = [secret(), secret()];
      await store.accounts.replaceSecret(old.id, second, nowMs + HOUR_MS);
      await store.accounts.replaceSecret(old.id, third, nowMs + 2 * HOUR_MS);
      const endOf = async ({ hash }: { hash: string }) =>
        (await store.accounts.findKey(hash))?.secretEndsAtMs;
      expect(await Promise.all([old, second, third].map(endOf))).toEqual([
        nowMs + HOUR_MS,
        nowMs + 2 * HOUR_MS,
        null,
      ]);
      const listed = await store.accounts.listKeys(old.accountId);
      expect(listed.map(({ formerSecrets }) => formerSecrets)).toEqual([
        [
          { lastFour: second.lastFour, endsAtMs: nowMs + 2 * HOUR_MS },
          { lastFour: "abcd", endsAtMs: nowMs + HOUR_MS },
        ],
      ]);
      await store.accounts.endFormerSecrets(old.id, nowMs + HOUR_MS + 1);
      expect(await Promise.all([old, second, third].map(endOf))).toEqual([
        nowMs + HOUR_MS,
        nowMs + HOUR_MS + 1,
        null,
      ]);
    });

    test("what ended long ago is forgotten with the next one", async () => {
      const old = await customer(store, { credit: 0n });
      const next = secret();
      await store.accounts.replaceSecret(
        old.id,
        next,
        Date.now() - FORMER_SECRET_KEPT_MS - HOUR_MS,
      );
      expect(await store.accounts.findKey(old.hash)).toBeDefined();
      await store.accounts.replaceSecret(old.id, secret(), Date.now());
      expect(await store.accounts.findKey(old.hash)).toBeUndefined();
      expect(await store.accounts.findKey(next.hash)).toBeDefined();
    });

    test("a deleted key opens nothing, is not listed and does not change, but stays in the books", async () => {
      const gone = await customer(store, { credit: 100n, budget: 50n });
      await post(store, await admitted(store, gone, 10n), 4n);
      const stays = key(gone.accountId);
      await store.accounts.createKey(stays);
      const second = secret();
      await store.accounts.replaceSecret(gone.id, second, Date.now() + HOUR_MS);
      expect(await store.accounts.deleteKey(gone.id, 7_000)).toBe(true);
      for (const { hash } of [gone, second]) {
        const found = await store.accounts.findKey(hash);
        expect(found).toMatchObject({ id: gone.id, enabled: false, deletedAtMs: 7_000 });
      }
      expect((await store.accounts.listKeys(gone.accountId)).map(({ id }) => id)).toEqual([
        stays.id,
      ]);
      expect((await store.accounts.listKeys()).map(({ id }) => id)).not.toContain(gone.id);
      const accounts = await store.accounts.listAccounts();
      expect(accounts.find(({ id }) => id === gone.accountId)).toMatchObject({ keys: 1 });
      expect(await store.accounts.updateKey(gone.id, { enabled: true })).toBe(false);
      expect(await store.accounts.replaceSecret(gone.id, secret(), 0)).toBe(false);
      expect(await store.accounts.deleteKey(gone.id, 8_000)).toBe(false);
      expect(await store.accounts.describeKey(gone.id)).toMatchObject({
        enabled: false,
        deletedAtMs: 7_000,
        used: 4n,
      });
      expect((await store.ledger.verify()).problems).toEqual([]);
    });

    test("of no key is neither replaced nor deleted", async () => {
      expect(await store.accounts.replaceSecret("key_none", secret(), 0)).toBe(false);
      expect(await store.accounts.deleteKey("key_none", 0)).toBe(false);
    });
  });
}
