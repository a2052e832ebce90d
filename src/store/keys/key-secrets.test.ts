import { describe, expect, test } from "bun:test";
import { ENGINES } from "../../../test/store/engines.ts";
import { admitted, customer, key, post } from "../../../test/store/samples.ts";
import { perSuite } from "../../../test/support/houses/house.ts";
import type { KeptSecret, SecretExchange } from "../../accounts/account.ts";
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

    /** A secret that opens a key beside its own, and what makes it the key's own. */
    async function prepared(keyId: string): Promise<SecretExchange> {
      const to = secret();
      const from = await store.accounts.addSecret(keyId, to, Date.now() + HOUR_MS);
      if (from === undefined) throw new Error("there is no such key");
      return { keyId, from, to };
    }

    /** Another secret of a key, which ends the one before at that time. */
    async function replaced(keyId: string, formerEndsAtMs: number): Promise<KeptSecret> {
      const exchange = await prepared(keyId);
      expect(await store.accounts.replaceSecret(exchange, formerEndsAtMs)).toBe(true);
      return exchange.to;
    }

    const endOf = async ({ hash }: { hash: string }) =>
      (await store.accounts.findKey(hash))?.secretEndsAtMs;

    test("a new one opens the same key, and the one before until it ends", async () => {
      const old = await customer(store, { credit: 100n, budget: 10n });
      const before = await store.accounts.findKey(old.hash);
      const next = await replaced(old.id, 5_000);
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
      const next = secret();
      const from = await store.accounts.addSecret(old.id, next, endsAtMs);
      expect(from).toBe(old.hash);
      expect(await Promise.all([old, next].map(endOf))).toEqual([null, endsAtMs]);
      const exchange = { keyId: old.id, from: old.hash, to: next };
      expect(await store.accounts.replaceSecret(exchange, 5_000)).toBe(true);
      expect(await Promise.all([old, next].map(endOf))).toEqual([5_000, null]);
      expect(await store.accounts.describeKey(old.id)).toMatchObject({
        lastFour: next.lastFour,
        formerSecrets: [{ lastFour: "abcd" }],
      });
      expect(await store.accounts.addSecret("key_none", secret(), endsAtMs)).toBeUndefined();
    });

    test("one that is withdrawn leaves the key the one before, whether it had taken its place or not", async () => {
      const old = await customer(store, { credit: 0n });
      const first = await replaced(old.id, Date.now() + HOUR_MS);
      const before = await store.accounts.describeKey(old.id);
      const exchange = await prepared(old.id);
      const keptItsOwn = async () => {
        expect(await store.accounts.findKey(exchange.to.hash)).toBeUndefined();
        expect(await endOf(first)).toBeNull();
        expect(await store.accounts.describeKey(old.id)).toEqual(
          before as NonNullable<typeof before>,
        );
      };
      expect(await store.accounts.replaceSecret(exchange, 5_000)).toBe(true);
      expect(await endOf(first)).toBe(5_000);
      await store.accounts.withdrawSecret(exchange);
      await keptItsOwn();
      await store.accounts.withdrawSecret(exchange);
      await keptItsOwn();
      expect(await store.accounts.replaceSecret(exchange, 5_000)).toBe(false);
      await keptItsOwn();
    });

    test("of two that are to take its place the first does, and goes on where the other is withdrawn", async () => {
      const old = await customer(store, { credit: 0n });
      const [first, second] = [await prepared(old.id), await prepared(old.id)];
      expect(await store.accounts.replaceSecret(first, 5_000)).toBe(true);
      expect(await store.accounts.replaceSecret(second, 6_000)).toBe(false);
      await store.accounts.withdrawSecret(second);
      const ends = await Promise.all([old, first.to, second.to].map(endOf));
      expect(ends).toEqual([5_000, null, undefined]);
    });

    test("one that is withdrawn when another has taken its place works no more", async () => {
      const old = await customer(store, { credit: 0n });
      const unread = await prepared(old.id);
      const nowMs = Date.now();
      await store.accounts.replaceSecret(unread, nowMs);
      const last = await replaced(old.id, nowMs + HOUR_MS);
      await store.accounts.withdrawSecret(unread);
      const ends = await Promise.all([old, unread.to, last].map(endOf));
      expect(ends).toEqual([nowMs, undefined, null]);
    });

    test("several of before end each at its own time, or all at once", async () => {
      const old = await customer(store, { credit: 0n });
      const nowMs = Date.now();
      const second = await replaced(old.id, nowMs + HOUR_MS);
      const third = await replaced(old.id, nowMs + 2 * HOUR_MS);
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
      const next = await replaced(old.id, Date.now() - FORMER_SECRET_KEPT_MS - HOUR_MS);
      expect(await store.accounts.findKey(old.hash)).toBeDefined();
      await replaced(old.id, Date.now());
      expect(await store.accounts.findKey(old.hash)).toBeUndefined();
      expect(await store.accounts.findKey(next.hash)).toBeDefined();
    });

    test("a deleted key opens nothing, is not listed and does not change, but stays in the books", async () => {
      const gone = await customer(store, { credit: 100n, budget: 50n });
      await post(store, await admitted(store, gone, 10n), 4n);
      const stays = key(gone.accountId);
      await store.accounts.createKey(stays);
      const second = await replaced(gone.id, Date.now() + HOUR_MS);
      const exchange = await prepared(gone.id);
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
      expect(await store.accounts.replaceSecret(exchange, 0)).toBe(false);
      expect(await store.accounts.deleteKey(gone.id, 8_000)).toBe(false);
      expect(await store.accounts.describeKey(gone.id)).toMatchObject({
        enabled: false,
        deletedAtMs: 7_000,
        used: 4n,
      });
      expect((await store.ledger.verify()).problems).toEqual([]);
    });

    test("of no key is neither replaced nor deleted", async () => {
      const exchange = { keyId: "key_none", from: "none", to: secret() };
      expect(await store.accounts.replaceSecret(exchange, 0)).toBe(false);
      await store.accounts.withdrawSecret(exchange);
      expect(await store.accounts.deleteKey("key_none", 0)).toBe(false);
    });
  });
}
