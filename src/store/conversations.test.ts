import { describe, expect, test } from "bun:test";
import { ENGINES } from "../../test/store/engines.ts";
import { failureOf } from "../../test/store/samples.ts";
import { perSuite } from "../../test/support/houses/house.ts";
import { readConfig } from "../config/config.ts";
import { Conversations } from "../conversations/conversations.ts";
import { pack } from "../conversations/packing.ts";
import type { ResponseRecord } from "../conversations/record.ts";
import { newId } from "../lib/ids.ts";

/** A reach that only turns bound. */
function far(turnsMax: number) {
  return { turnsMax, bytesMax: Number.MAX_SAFE_INTEGER };
}

const NO_CAP = 1_000_000_000;
const NOW_MS = 1_000_000;

for (const engine of ENGINES) {
  describe(`stored responses on ${engine.name}`, () => {
    const site = perSuite(engine.site);
    const store = perSuite(() => site.open());
    let accountId: string;

    function record(over: Partial<ResponseRecord> = {}): ResponseRecord {
      return {
        id: newId("resp_"),
        accountId,
        keyId: "key_1",
        parentId: null,
        createdAtMs: NOW_MS,
        expiresAtMs: NOW_MS + 1_000,
        itemIds: [newId("msg_")],
        body: new Uint8Array([0, 1, 2, 255]),
        ...over,
      };
    }

    /** A customer nobody else in this file is. */
    function newAccount(): void {
      accountId = newId("acct_");
    }

    async function saved(over: Partial<ResponseRecord> = {}): Promise<ResponseRecord> {
      const made = record(over);
      await store.conversations.save(made, NO_CAP);
      return made;
    }

    const find = (id: string, nowMs = NOW_MS) => store.conversations.find(id, { accountId }, nowMs);

    test.each([
      ["longer than an index takes", crypto.getRandomValues(new Uint8Array(4_000)).toHex()],
      ["with a NUL in it", "msg_\0"],
      ["with half a character in it", "msg_\ud83d"],
    ])("a turn is kept whose item has an id %s, and the item is found by it", async (_, itemId) => {
      newAccount();
      const reader = { accountId, keyId: "key_1" };
      const { limits } = readConfig({});
      const turns = new Conversations(store.conversations, limits, () => NOW_MS, true);
      const said = { type: "message", id: itemId, role: "user", content: "hi" };
      const id = newId("resp_");
      const turn = { id, parentId: null, input: [said], response: { id, output: [] } };
      expect(await turns.remember(reader, turn)).toBe(true);
      const input = [{ type: "item_reference", id: itemId }];
      expect(await turns.expand({ input }, reader)).toEqual([said]);
    });

    test("an item is found by a long id that an earlier release kept as it is", async () => {
      newAccount();
      const itemId = `msg_${crypto.getRandomValues(new Uint8Array(500)).toHex()}`;
      const said = { type: "message", id: itemId, role: "user", content: "hi" };
      const id = newId("resp_");
      const body = await pack({ input: [said], response: { id, output: [] } }, NO_CAP);
      await saved({ id, itemIds: [itemId], ...(body && { body }) });
      const turns = new Conversations(
        store.conversations,
        readConfig({}).limits,
        () => NOW_MS,
        true,
      );
      const input = [{ type: "item_reference", id: itemId }];
      const reader = { accountId, keyId: "key_1" };
      expect(await turns.expand({ input }, reader)).toEqual([said]);
    });

    test("a record is found as it was saved", async () => {
      newAccount();
      const body = crypto.getRandomValues(new Uint8Array(60_000));
      const made = await saved({ body, parentId: "resp_gone", itemIds: ["b", "a", "a"] });
      const found = await find(made.id);
      expect(found).toEqual({ ...made, itemIds: expect.any(Array) });
      expect([...(found?.itemIds ?? [])].sort()).toEqual(["a", "b"]);
      const bare = await saved({ itemIds: [], body: new Uint8Array() });
      expect(await find(bare.id)).toEqual(bare);
      expect(await find("resp_none")).toBeUndefined();
      expect(await find("resp_\0")).toBeUndefined();
    });

    test("an id is saved once, and its first record stays", async () => {
      newAccount();
      const made = await saved();
      const twin = record({ id: made.id, body: new Uint8Array([9]) });
      expect(await failureOf(store.conversations.save(twin, NO_CAP))).toBeInstanceOf(Error);
      expect(await find(made.id)).toEqual(made);
    });

    test("a record is seen by its account only, and by a key only if it is that key's", async () => {
      newAccount();
      const made = await saved({ itemIds: ["item of a private response"] });
      const readers = [
        { reader: { accountId }, sees: true },
        { reader: { accountId, keyId: "key_1" }, sees: true },
        { reader: { accountId, keyId: "key_2" }, sees: false },
        { reader: { accountId: "acct_other" }, sees: false },
        { reader: { accountId: "acct_other", keyId: "key_1" }, sees: false },
      ];
      for (const { reader, sees } of readers) {
        const expected = sees ? made : undefined;
        const itemId = made.itemIds[0] as string;
        expect(await store.conversations.find(made.id, reader, NOW_MS)).toEqual(expected);
        expect(await store.conversations.findByItem(itemId, reader, NOW_MS)).toEqual(expected);
        expect(await store.conversations.chain(made.id, reader, NOW_MS, far(9))).toHaveLength(
          sees ? 1 : 0,
        );
        if (!sees) expect(await store.conversations.remove(made.id, reader)).toBe(false);
      }
      expect(await find(made.id)).toEqual(made);
    });

    test("the same item id of two accounts leads each to its own record", async () => {
      newAccount();
      const first = await saved({ itemIds: ["shared item"] });
      const stranger = await saved({ itemIds: ["shared item"], accountId: newId("acct_") });
      const ask = (id: string) =>
        store.conversations.findByItem("shared item", { accountId: id }, NOW_MS);
      expect((await ask(accountId))?.id).toBe(first.id);
      expect((await ask(stranger.accountId))?.id).toBe(stranger.id);
      expect(await ask("acct_none")).toBeUndefined();
    });

    test("the same item id of several responses leads to the latest that can be seen", async () => {
      newAccount();
      const itemIds = ["msg_1"];
      const keyId = "key_1";
      for (const [name, agoMs] of [
        ["a", 3],
        ["b", 1],
        ["c", 2],
      ] as const) {
        const createdAtMs = NOW_MS - agoMs;
        await saved({ id: `resp_${accountId}_${name}`, itemIds, keyId, createdAtMs });
      }
      const found = await store.conversations.findByItem("msg_1", { accountId, keyId }, NOW_MS);
      expect(found?.id).toBe(`resp_${accountId}_b`);
    });

    test("a chain is told oldest first, as far as it is allowed and can be seen", async () => {
      newAccount();
      const ids: string[] = [];
      for (let i = 0; i < 5; i++) {
        const keyId = i === 1 ? "key_2" : "key_1";
        ids.push((await saved({ parentId: ids.at(-1) ?? null, keyId })).id);
      }
      const chain = async (turnsMax: number, keyId?: string) => {
        const reader = { accountId, keyId };
        const records = await store.conversations.chain(
          ids[4] as string,
          reader,
          NOW_MS,
          far(turnsMax),
        );
        return records.map(({ id }) => id);
      };
      expect(await chain(9)).toEqual(ids);
      expect(await chain(2)).toEqual(ids.slice(3));
      expect(await chain(9, "key_1")).toEqual(ids.slice(2));
      expect(await chain(9, "key_2")).toEqual([]);
    });

    test("a chain is followed no further than the record that passes its bytes", async () => {
      newAccount();
      const ids: string[] = [];
      for (let i = 0; i < 4; i++) {
        const body = new Uint8Array(1_000);
        ids.push((await saved({ parentId: ids.at(-1) ?? null, body })).id);
      }
      const chain = async (bytesMax: number) => {
        const reach = { turnsMax: 9, bytesMax };
        const last = ids[3] as string;
        const records = await store.conversations.chain(last, { accountId }, NOW_MS, reach);
        return records.map(({ id }) => id);
      };
      expect(await chain(4_000)).toEqual(ids);
      expect(await chain(2_000)).toEqual(ids.slice(1));
      expect(await chain(1_999)).toEqual(ids.slice(2));
      expect(await chain(0)).toEqual(ids.slice(3));
    });

    test("a chain that bites its tail ends", async () => {
      newAccount();
      const id = newId("resp_");
      await saved({ id, parentId: id });
      expect(await store.conversations.chain(id, { accountId }, NOW_MS, far(5))).toHaveLength(5);
    });

    test("a record ends at its time, in a chain too, and is swept", async () => {
      newAccount();
      const old = await saved({ expiresAtMs: NOW_MS + 10, itemIds: ["old item"] });
      const young = await saved({ parentId: old.id, expiresAtMs: NOW_MS + 500 });
      expect(await find(old.id, NOW_MS + 9)).toBeDefined();
      expect(await find(old.id, NOW_MS + 10)).toBeUndefined();
      const byItem = store.conversations.findByItem("old item", { accountId }, NOW_MS + 10);
      expect(await byItem).toBeUndefined();
      const chain = await store.conversations.chain(young.id, { accountId }, NOW_MS + 10, far(9));
      expect(chain.map(({ id }) => id)).toEqual([young.id]);
      expect(await store.conversations.sweep(NOW_MS + 9)).toBe(0);
      expect(await store.conversations.sweep(NOW_MS + 10)).toBe(1);
      expect(await find(old.id, 0)).toBeUndefined();
      expect(await find(young.id)).toBeDefined();
    });

    test("a removed record is gone with its items", async () => {
      newAccount();
      const made = await saved({ itemIds: ["item to go"] });
      expect(await store.conversations.remove(made.id, { accountId, keyId: "key_1" })).toBe(true);
      expect(await store.conversations.remove(made.id, { accountId })).toBe(false);
      expect(await find(made.id)).toBeUndefined();
      const items = await site.run("select * from response_items where item_id = 'item to go'");
      expect(items).toEqual([]);
    });

    test("an account that keeps too much loses its oldest, and nobody else does", async () => {
      newAccount();
      const stranger = await saved({ accountId: newId("acct_"), body: new Uint8Array(900) });
      const ids: string[] = [];
      for (let i = 0; i < 5; i++) {
        const made = record({ body: new Uint8Array(100), createdAtMs: NOW_MS + i });
        await store.conversations.save(made, 350);
        ids.push(made.id);
      }
      const kept = await Promise.all(ids.map(async (id) => (await find(id)) !== undefined));
      expect(kept).toEqual([false, false, true, true, true]);
      const theirs = { accountId: stranger.accountId };
      expect(await store.conversations.find(stranger.id, theirs, NOW_MS)).toBeDefined();
      const exact = record({ body: new Uint8Array(50), createdAtMs: NOW_MS + 9 });
      await store.conversations.save(exact, 350);
      expect(await find(ids[2] as string)).toBeDefined();
    });
  });
}
