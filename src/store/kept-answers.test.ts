import { describe, expect, test } from "bun:test";
import { ENGINES, POSTGRES } from "../../test/store/engines.ts";
import { admitted, customer, voidHold } from "../../test/store/samples.ts";
import { Parts, perSuite } from "../../test/support/houses/house.ts";
import type { Claimant } from "../conversations/claim.ts";
import { newId } from "../lib/ids.ts";

const NOW_MS = 1_000_000;
const SPAN = { nowMs: NOW_MS, expiresAtMs: NOW_MS + 1_000 };
const NO_CAP = 1_000_000_000;

for (const engine of ENGINES) {
  describe(`claims and kept answers on ${engine.name}`, () => {
    const site = perSuite(engine.site);
    const store = perSuite(() => site.open());

    /** Of a key that nobody else in this file has. */
    function claimant(over: Partial<Claimant> = {}): Claimant {
      return {
        keyId: newId("key_"),
        value: "order 17",
        accountId: newId("acct_"),
        requestId: newId("req_"),
        fingerprint: "what is asked",
        ...over,
      };
    }

    const again = (first: Claimant, over: Partial<Claimant> = {}) => ({
      ...first,
      requestId: newId("req_"),
      ...over,
    });

    const keep = (from: Claimant, body: Uint8Array | null, over: { nowMs?: number } = {}) =>
      store.keptAnswers.keepAnswer(from, { ...SPAN, body, accountBytesMax: NO_CAP, ...over });

    const bytesOf = async (from: Claimant) => {
      const body = await store.keptAnswers.findAnswer(from, from.requestId);
      return body && [...body];
    };

    async function claimed(over: Partial<Claimant> = {}): Promise<Claimant> {
      const made = claimant(over);
      expect(await store.keptAnswers.claim(made, SPAN)).toMatchObject({
        requestId: made.requestId,
        state: "running",
        alive: true,
      });
      return made;
    }

    test("a value belongs to who comes first, and others are told who that is", async () => {
      const first = await claimed();
      const second = again(first, { fingerprint: "something else" });
      const told = {
        requestId: first.requestId,
        fingerprint: "what is asked",
        state: "running" as const,
        alive: true,
      };
      expect(await store.keptAnswers.claim(second, SPAN)).toEqual(told);
      expect(await store.keptAnswers.findClaim(second)).toEqual(told);
      expect(await store.keptAnswers.findClaim(claimant())).toBeUndefined();
    });

    test("of many at once one is first", async () => {
      const one = claimant();
      const all = Array.from({ length: 32 }, () => again(one));
      const told = await Promise.all(all.map((each) => store.keptAnswers.claim(each, SPAN)));
      expect(new Set(told.map(({ requestId }) => requestId)).size).toBe(1);
      expect(all.filter((each, i) => told[i]?.requestId === each.requestId)).toHaveLength(1);
    });

    test("two keys with the same value do not meet", async () => {
      const first = await claimed({ value: "same" });
      const other = await claimed({ value: "same", accountId: first.accountId });
      expect(await keep(first, new Uint8Array([1]))).toBe(true);
      expect(await store.keptAnswers.findClaim(other)).toMatchObject({ state: "running" });
      expect(await bytesOf(other)).toBeUndefined();
    });

    test("an answer is kept as it is, and only for who has the value", async () => {
      const first = await claimed();
      const second = again(first);
      expect(await keep(second, new Uint8Array([9]))).toBe(false);
      expect(await bytesOf(first)).toBeUndefined();
      const body = crypto.getRandomValues(new Uint8Array(60_000));
      expect(await keep(first, body)).toBe(true);
      expect(await keep(first, body)).toBe(true);
      expect(await bytesOf(first)).toEqual([...body]);
      expect(await bytesOf(second)).toBeUndefined();
      expect(await store.keptAnswers.claim(second, SPAN)).toMatchObject({
        requestId: first.requestId,
        state: "kept",
      });
    });

    test("an answer that is not kept is known as one", async () => {
      const first = await claimed();
      expect(await keep(first, null)).toBe(true);
      expect(await bytesOf(first)).toBeUndefined();
      expect(await store.keptAnswers.findClaim(first)).toMatchObject({ state: "not_kept" });
    });

    test("a value is let go of only in the state that it was seen in", async () => {
      const first = await claimed();
      await store.keptAnswers.freeClaim(first, newId("req_"), "running");
      await store.keptAnswers.freeClaim(first, first.requestId, "kept");
      expect(await store.keptAnswers.findClaim(first)).toMatchObject({ state: "running" });
      await keep(first, new Uint8Array([1]));
      await store.keptAnswers.freeClaim(first, first.requestId, "running");
      expect(await bytesOf(first)).toEqual([1]);
      await store.keptAnswers.freeClaim(first, first.requestId, "kept");
      expect(await store.keptAnswers.findClaim(first)).toBeUndefined();
      const second = again(first);
      expect((await store.keptAnswers.claim(second, SPAN)).requestId).toBe(second.requestId);
    });

    test("a value is free again when its time is over, and its answer is swept", async () => {
      const [first, kept] = [await claimed(), await claimed()];
      await keep(kept, new Uint8Array([1]));
      const late = { nowMs: SPAN.expiresAtMs, expiresAtMs: SPAN.expiresAtMs + 1_000 };
      const early = { ...late, nowMs: SPAN.expiresAtMs - 1 };
      const second = again(kept);
      expect((await store.keptAnswers.claim(second, early)).requestId).toBe(kept.requestId);
      expect(await store.keptAnswers.claim(second, late)).toMatchObject({
        requestId: second.requestId,
        state: "running",
      });
      expect(await bytesOf(kept)).toBeUndefined();
      expect(await keep(kept, new Uint8Array([2]))).toBe(false);

      await store.keptAnswers.sweepAnswers(SPAN.expiresAtMs - 1);
      expect(await store.keptAnswers.findClaim(first)).toBeDefined();
      expect(await store.keptAnswers.sweepAnswers(SPAN.expiresAtMs)).toBeGreaterThan(0);
      expect(await store.keptAnswers.findClaim(first)).toBeUndefined();
      expect(await store.keptAnswers.findClaim(second)).toBeDefined();
    });

    test("an account that keeps too much gives up its oldest answers, not its values", async () => {
      const accountId = newId("acct_");
      const stranger = await claimed();
      await keep(stranger, new Uint8Array(900));
      const running = await claimed({ accountId });
      const all: Claimant[] = [];
      for (let i = 0; i < 5; i++) {
        const made = await claimed({ accountId });
        const body = new Uint8Array(100);
        const packed = { ...SPAN, nowMs: NOW_MS + i, body, accountBytesMax: 350 };
        expect(await store.keptAnswers.keepAnswer(made, packed)).toBe(true);
        all.push(made);
      }
      const states = await Promise.all(
        all.map(async (each) => (await store.keptAnswers.findClaim(each))?.state),
      );
      expect(states).toEqual(["not_kept", "not_kept", "kept", "kept", "kept"]);
      expect(await bytesOf(all[1] as Claimant)).toBeUndefined();
      expect(await bytesOf(all[2] as Claimant)).toHaveLength(100);
      expect(await bytesOf(stranger)).toHaveLength(900);
      expect(await store.keptAnswers.findClaim(running)).toMatchObject({ state: "running" });
    });

    test("a claim of a process that is gone is dead once its money is not held any more", async () => {
      await using parts = new Parts();
      const own = await engine.site(parts);
      const before = await own.open();
      const holder = await customer(before, { credit: 1_000n });
      const held = await admitted(before, holder, 10n);
      const one = claimant({ keyId: holder.id, requestId: held.requestId });
      const two = claimant();
      await before.keptAnswers.claim(one, SPAN);
      await before.keptAnswers.claim(two, SPAN);
      await before.close();

      const after = await own.open();
      expect(await after.keptAnswers.findClaim(two)).toMatchObject({ alive: false });
      await after.ledger.recover();
      expect(await after.keptAnswers.findClaim(one)).toMatchObject({ alive: false });
      expect(await after.keptAnswers.claim(again(two), SPAN)).toMatchObject({
        requestId: two.requestId,
        alive: false,
      });
    });
  });
}

test("on PostgreSQL a claim of another process lives by its lease, and by the money it holds", async () => {
  await using parts = new Parts();
  const site = await POSTGRES.site(parts);
  const [one, other] = [await site.open(), await site.open()];
  const holder = await customer(one, { credit: 1_000n });
  const held = await admitted(one, holder, 10n);
  const name = { keyId: holder.id, accountId: holder.accountId, fingerprint: "f" };
  const first: Claimant = { ...name, value: "v", requestId: held.requestId };
  await one.keptAnswers.claim(first, SPAN);
  expect(await other.keptAnswers.findClaim(first)).toMatchObject({ alive: true });
  await site.forgetTheDead();
  expect(await other.keptAnswers.findClaim(first)).toMatchObject({ alive: true });
  await voidHold(one, held);
  expect(await other.keptAnswers.findClaim(first)).toMatchObject({ alive: false });
  expect(await one.keptAnswers.findClaim(first)).toMatchObject({ alive: true });
});
