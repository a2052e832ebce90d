import { describe, expect, test } from "bun:test";
import { readConfig } from "../config/config.ts";
import { Fault } from "../lib/faults.ts";
import { Conversations, inputItems } from "./conversations.ts";
import type { Reader, ResponseRecord } from "./record.ts";
import type { ChainReach, ConversationStore } from "./store.ts";

const ALICE = { accountId: "acct_a", keyId: "key_a" };
const { limits } = readConfig({
  FAREGATE_RESPONSE_TTL_MS: "1000",
  FAREGATE_RESPONSE_BYTES_MAX: "4096",
  FAREGATE_RESPONSE_CHAIN_TURNS_MAX: "5",
});

/** The port's promises, kept in memory. */
class FakeStore implements ConversationStore {
  readonly records = new Map<string, ResponseRecord>();

  #seen(record: ResponseRecord | undefined, reader: Reader, nowMs: number) {
    if (!record || record.accountId !== reader.accountId || record.expiresAtMs <= nowMs)
      return undefined;
    return reader.keyId === undefined || reader.keyId === record.keyId ? record : undefined;
  }

  async save(record: ResponseRecord): Promise<void> {
    this.records.set(record.id, record);
  }

  async find(id: string, reader: Reader, nowMs: number) {
    return this.#seen(this.records.get(id), reader, nowMs);
  }

  async chain(id: string, reader: Reader, nowMs: number, { turnsMax, bytesMax }: ChainReach) {
    const chain: ResponseRecord[] = [];
    let bytes = 0;
    let next: string | null = id;
    while (next !== null && chain.length < turnsMax && bytes <= bytesMax) {
      const record = this.#seen(this.records.get(next), reader, nowMs);
      if (!record) break;
      chain.unshift(record);
      bytes += record.body.byteLength;
      next = record.parentId;
    }
    return chain;
  }

  async findByItem(itemId: string, reader: Reader, nowMs: number) {
    return [...this.records.values()].find(
      (record) => record.itemIds.includes(itemId) && this.#seen(record, reader, nowMs),
    );
  }

  async remove(id: string, reader: Reader) {
    return this.#seen(this.records.get(id), reader, 0) ? this.records.delete(id) : false;
  }

  async sweep(nowMs: number) {
    const old = [...this.records.values()].filter(({ expiresAtMs }) => expiresAtMs <= nowMs);
    for (const { id } of old) this.records.delete(id);
    return old.length;
  }
}

function setUp() {
  const time = { nowMs: 100 };
  const store = new FakeStore();
  const conversations = new Conversations(store, limits, () => time.nowMs, true);
  /** One turn that says something and gets an answer. */
  const turn = (id: string, said: unknown, parentId: string | null = null, more: object[] = []) =>
    conversations.remember(ALICE, {
      id,
      parentId,
      input: inputItems(said),
      response: { id, output: [...more, answer(`msg_${id}`)] },
    });
  return { time, store, conversations, turn };
}

function answer(id: string) {
  return { type: "message", id, role: "assistant", content: [{ type: "output_text", text: id }] };
}

async function code(promise: Promise<unknown>): Promise<[string, string | null]> {
  const thrown = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(thrown instanceof Fault)) throw new Error(`no fault but ${String(thrown)}`);
  return [thrown.code, thrown.param];
}

describe("expand", () => {
  test("has nothing to do for a request that stands alone", async () => {
    const { conversations } = setUp();
    expect(await conversations.expand({ input: "hi" }, ALICE)).toBeUndefined();
    expect(
      await conversations.expand({ input: [{ role: "user", content: "x" }] }, ALICE),
    ).toBeUndefined();
  });

  test("puts all earlier turns in front, input before output, oldest first", async () => {
    const { conversations, turn } = setUp();
    await turn("resp_1", "one");
    await turn("resp_2", [{ role: "user", content: "two" }], "resp_1");
    const items = await conversations.expand(
      { input: "three", previous_response_id: "resp_2" },
      ALICE,
    );
    expect(
      items?.map(({ id, content }) => (String(id).startsWith("msg_resp") ? id : content)),
    ).toEqual(["one", "msg_resp_1", "two", "msg_resp_2", "three"]);
  });

  test("counts what it reads as it reads it, and reads no further than there is room", async () => {
    const { conversations, turn } = setUp();
    await turn("resp_1", "1".repeat(1_000));
    await turn("resp_2", "2".repeat(1_000), "resp_1");
    await turn("resp_3", "3".repeat(1_000), "resp_2");
    const countedWith = async (room: number) => {
      const counted: number[] = [];
      const grow = (bytes: number) => {
        counted.push(bytes);
        const all = counted.reduce((sum, each) => sum + each, 0);
        if (all > room) throw new Fault("overloaded", "There is no more room.");
      };
      const body = { input: "go on", previous_response_id: "resp_3" };
      const expanded = conversations.expand(body, ALICE, undefined, { grow });
      return { expanded, counted };
    };
    const whole = await countedWith(100_000);
    expect(await whole.expanded).toHaveLength(7);
    expect(whole.counted.reduce((sum, each) => sum + each, 0)).toBeGreaterThan(6_000);
    const cut = await countedWith(1_000);
    expect(await code(cut.expanded)).toEqual(["overloaded", null]);
    // Of the first turn, before anything was made of it.
    expect(cut.counted).toHaveLength(1);
  });

  test("replaces a reference by the item itself, from output or input, typed or bare", async () => {
    const { conversations, turn } = setUp();
    await turn("resp_1", [{ id: "msg_mine", role: "user", content: "kept" }]);
    const input = [
      { type: "item_reference", id: "msg_resp_1" },
      { id: "msg_mine" },
      { role: "user", content: "go" },
    ];
    const items = await conversations.expand({ input }, ALICE);
    expect(items).toEqual([
      answer("msg_resp_1"),
      { id: "msg_mine", role: "user", content: "kept" },
      { role: "user", content: "go" },
    ]);
  });

  test("resolves references that an earlier turn was made of", async () => {
    const { conversations, turn } = setUp();
    await turn("resp_1", "one");
    await turn("resp_2", [
      { type: "item_reference", id: "msg_resp_1" },
      { role: "user", content: "two" },
    ]);
    const items = await conversations.expand({ input: "x", previous_response_id: "resp_2" }, ALICE);
    expect(items?.some(({ type }) => type === "item_reference")).toBe(false);
    expect(items?.[0]).toEqual(answer("msg_resp_1"));
  });

  test("sends reasoning again only in its sealed form", async () => {
    const { conversations, turn } = setUp();
    const open = { type: "reasoning", id: "rs_1", summary: [] };
    await turn("resp_1", "one", null, [open, { ...open, id: "rs_2", encrypted_content: "…" }]);
    const items = await conversations.expand({ input: "x", previous_response_id: "resp_1" }, ALICE);
    expect(items?.filter(({ type }) => type === "reasoning").map(({ id }) => id)).toEqual(["rs_2"]);
  });

  test("knows nothing of other accounts, other keys, what has expired or was deleted", async () => {
    const { conversations, turn, time } = setUp();
    await turn("resp_1", "one");
    await turn("resp_2", "two");
    const gone = ["previous_response_not_found", "previous_response_id"] as [string, string];
    const ask = (id: string, reader: Reader) =>
      code(conversations.expand({ input: "x", previous_response_id: id }, reader));
    expect(await ask("resp_1", { accountId: "acct_b", keyId: "key_b" })).toEqual(gone);
    expect(await ask("resp_1", { accountId: "acct_a", keyId: "key_other" })).toEqual(gone);
    expect(
      await conversations.expand(
        { input: "x", previous_response_id: "resp_1" },
        { accountId: "acct_a" },
      ),
    ).toHaveLength(3);
    await conversations.remove("resp_2", ALICE);
    expect(await ask("resp_2", ALICE)).toEqual(gone);
    time.nowMs = 1_100;
    expect(await ask("resp_1", ALICE)).toEqual(gone);
    const input = [{ type: "item_reference", id: "msg_resp_1" }];
    expect(await code(conversations.expand({ input }, ALICE))).toEqual(["item_not_found", "input"]);
  });

  test("does not answer with half a conversation", async () => {
    const { conversations, turn } = setUp();
    await turn("resp_1", "one");
    await turn("resp_2", "two", "resp_1");
    await conversations.remove("resp_1", ALICE);
    const asked = conversations.expand({ input: "x", previous_response_id: "resp_2" }, ALICE);
    expect((await code(asked))[0]).toBe("previous_response_not_found");
  });

  test("goes back only so far", async () => {
    const { conversations, turn } = setUp();
    for (let i = 1; i <= 6; i++) await turn(`resp_${i}`, "x", i === 1 ? null : `resp_${i - 1}`);
    const from = (id: string) =>
      conversations.expand({ input: "x", previous_response_id: id }, ALICE);
    expect(await from("resp_5")).toHaveLength(11);
    expect(await code(from("resp_6"))).toEqual(["invalid_value", "previous_response_id"]);
  });
});

describe("remember", () => {
  test("keeps own items and a pointer, for its time", async () => {
    const { store, turn } = setUp();
    expect(await turn("resp_2", "two", "resp_1")).toBe(true);
    const record = store.records.get("resp_2");
    expect(record).toMatchObject({
      accountId: "acct_a",
      keyId: "key_a",
      parentId: "resp_1",
      createdAtMs: 100,
      expiresAtMs: 1_100,
    });
    expect(record?.itemIds).toHaveLength(2);
    expect(record?.itemIds[1]).toBe("msg_resp_2");
  });

  test("does not keep what is too large", async () => {
    const { store, turn } = setUp();
    const noise = Buffer.from(crypto.getRandomValues(new Uint8Array(20_000))).toString("base64");
    expect(await turn("resp_1", noise)).toBe(false);
    expect(store.records.size).toBe(0);
  });

  test("gives every item an id, also one that came with null", async () => {
    const { conversations, turn } = setUp();
    await turn("resp_1", [
      { id: null, role: "user", content: "x" },
      { role: "user", content: "y" },
    ]);
    const page = { limit: 9, order: "asc" as const, after: undefined };
    const { items } = await conversations.input("resp_1", ALICE, page);
    for (const { id } of items) expect(id).toMatch(/^msg_/);
  });

  test("an item that was referred to is found where it was said, not where it was repeated", async () => {
    const { store, turn } = setUp();
    await turn("resp_1", [{ type: "item_reference", id: "msg_9" }]);
    expect(store.records.get("resp_1")?.itemIds).toEqual(["msg_resp_1"]);
  });
});

describe("reading again", () => {
  test("gives the response as it was sent, until it is deleted", async () => {
    const { conversations, turn } = setUp();
    await turn("resp_1", "one");
    expect((await conversations.response("resp_1", ALICE)).id).toBe("resp_1");
    await conversations.remove("resp_1", ALICE);
    expect(await code(conversations.response("resp_1", ALICE))).toEqual([
      "not_found",
      "response_id",
    ]);
    expect((await code(conversations.remove("resp_1", ALICE)))[0]).toBe("not_found");
  });

  test("pages through the input without losing or repeating an item", async () => {
    const { conversations, turn } = setUp();
    const said = Array.from({ length: 7 }, (_, i) => ({
      id: `msg_${i}`,
      role: "user",
      content: "x",
    }));
    await turn("resp_1", said);
    for (const order of ["asc", "desc"] as const) {
      const seen: unknown[] = [];
      let after: string | undefined;
      for (;;) {
        const page = await conversations.input("resp_1", ALICE, { limit: 3, order, after });
        seen.push(...page.items.map(({ id }) => id));
        after = String(page.items.at(-1)?.id);
        if (!page.hasMore) break;
      }
      const expected = said.map(({ id }) => id);
      expect(seen).toEqual(order === "asc" ? expected : expected.toReversed());
    }
  });

  test("sweeps what has expired", async () => {
    const { conversations, turn, time } = setUp();
    await turn("resp_1", "one");
    time.nowMs = 600;
    await turn("resp_2", "two");
    time.nowMs = 1_100;
    expect(await conversations.sweep()).toBe(1);
    expect((await conversations.response("resp_2", ALICE)).id).toBe("resp_2");
  });
});

test("inputItems makes a message of a text and nothing of nonsense", () => {
  expect(inputItems("hi")).toEqual([{ type: "message", role: "user", content: "hi" }]);
  expect(inputItems([{ role: "user" }, 5, null])).toEqual([{ role: "user" }]);
  expect(inputItems(undefined)).toEqual([]);
});

describe("a few bytes that stand for very many", () => {
  const small = readConfig({ FAREGATE_RESPONSE_CHAIN_BYTES_MAX: "70000" }).limits;
  const kept = async () => {
    const found: string[] = [];
    class NotingStore extends FakeStore {
      override findByItem(id: string, reader: Reader, nowMs: number) {
        found.push(id);
        return super.findByItem(id, reader, nowMs);
      }
    }
    const conversations = new Conversations(new NotingStore(), small, () => 0, true);
    let parentId: string | null = null;
    for (let i = 0; i < 4; i++) {
      const input = [{ type: "message", role: "user", id: `msg_${i}`, content: "a".repeat(9_000) }];
      await conversations.remember(ALICE, { id: `resp_${i}`, parentId, input, response: {} });
      parentId = `resp_${i}`;
    }
    return { conversations, found };
  };
  const tooMuch = "takes more than 70000 bytes; start a new one";

  test("are counted as what they stand for: turns behind one another", async () => {
    const { conversations } = await kept();
    const from = (id: string) =>
      conversations.expand({ input: "x", previous_response_id: id }, ALICE);
    expect(await from("resp_2")).toHaveLength(4);
    await expect(from("resp_3")).rejects.toThrow(tooMuch);
  });

  test("and items that are referred to, each read once and counted each time", async () => {
    const { conversations, found } = await kept();
    const refer = (...ids: string[]) =>
      conversations.expand({ input: ids.map((id) => ({ type: "item_reference", id })) }, ALICE);
    expect(await refer("msg_0", "msg_0", "msg_0")).toHaveLength(3);
    expect(found).toEqual(["msg_0"]);
    await expect(refer("msg_0", "msg_1", "msg_2", "msg_3")).rejects.toThrow(tooMuch);
    await expect(refer("msg_0", "msg_0", "msg_0", "msg_0")).rejects.toThrow(tooMuch);
  });
});
