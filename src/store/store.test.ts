import { describe, expect, test } from "bun:test";
import { ENGINES } from "../../test/store/engines.ts";
import {
  account,
  admitted,
  credit,
  customer,
  failureOf,
  key,
  onlyBudget,
  post,
  raise,
  total,
} from "../../test/store/samples.ts";
import { perSuite, perTest } from "../../test/support/houses/house.ts";
import { newId } from "../lib/ids.ts";
import { FIND_KEY_SQL } from "./keys/key-rows.ts";
import { verifyBooks } from "./money/verification.ts";
import { Reads } from "./reads/reads.ts";
import { MissingDatabaseError } from "./store.ts";

/** More than a JavaScript number can tell from its neighbours. */
const HUGE = 2n ** 53n + 1n;

for (const engine of ENGINES) {
  describe(`accounts and keys on ${engine.name}`, () => {
    const site = perSuite(engine.site);
    const store = perSuite(() => site.open());

    test("an account is found as it was created, with an empty balance", async () => {
      const made = account({ name: "Zoë", hard: true, enabled: false });
      await store.accounts.createAccount(made);
      expect(await store.accounts.findAccount(made.id)).toEqual(made);
      expect(await store.ledger.balance(made.id)).toEqual({
        credited: 0n,
        charged: 0n,
        held: 0n,
        running: 0n,
        trialOnly: true,
      });
      expect(await store.accounts.findAccount("acct_none")).toBeUndefined();
      expect(await store.ledger.balance("acct_none")).toBeUndefined();
    });

    test("there is one operator account", async () => {
      expect(await store.accounts.operatorAccount()).toBeUndefined();
      const operator = account({ operator: true });
      await store.accounts.createAccount(operator);
      expect(await store.accounts.operatorAccount()).toEqual(operator);
      expect(
        await failureOf(store.accounts.createAccount(account({ operator: true }))),
      ).toBeInstanceOf(Error);
    });

    test("the same account is not created twice", async () => {
      const made = account();
      await store.accounts.createAccount(made);
      expect(await failureOf(store.accounts.createAccount(made))).toBeInstanceOf(Error);
    });

    test("accounts are listed with their balance and number of keys", async () => {
      const made = await customer(store, { credit: 50n });
      await store.accounts.createKey(key(made.accountId));
      const listed = await store.accounts.listAccounts();
      const found = listed.find(({ id }) => id === made.accountId);
      expect(found).toMatchObject({ name: "Ann", balance: 50n, keys: 2 });
    });

    test("a key is found by its hash, with the state of its account", async () => {
      const owner = account({ hard: true });
      await store.accounts.createAccount(owner);
      const made = key(owner.id, {
        models: ["a-1.0", 'quo"te'],
        networks: ["10.0.0.0/8"],
        expiresAtMs: 4_102_444_800_000,
        tokensPerMinute: 5_000_000_000,
        concurrency: 7,
        accountRead: true,
        showCost: false,
      });
      expect(await store.accounts.createKey(made)).toBe(true);
      const { hash, budgets, ...kept } = made;
      expect(await store.accounts.findKey(hash)).toEqual({
        ...kept,
        secretEndsAtMs: null,
        accountEnabled: true,
        accountHard: true,
        overdraft: 0n,
        inputLoss: { day: expect.any(Number), amount: 0n },
        operator: false,
      });
      expect(budgets).toEqual([]);
      expect(await store.accounts.findKey("another hash")).toBeUndefined();
      expect(await store.accounts.findKey("with a \0 inside")).toBeUndefined();
    });

    test("a key of an unknown account, or with a hash in use, is not created", async () => {
      expect(await store.accounts.createKey(key("acct_none"))).toBe(false);
      const made = await customer(store, { credit: 0n });
      const twin = key(made.accountId, { hash: made.hash });
      expect(await failureOf(store.accounts.createKey(twin))).toBeInstanceOf(Error);
      expect(await store.ledger.spending(twin.id)).toBeUndefined();
    });

    test("an account gets no more keys than it may have, however many come at once", async () => {
      const { accountId, id } = await customer(store, { credit: 0n });
      const make = (max?: number) => store.accounts.createKey(key(accountId), max);
      const made = await Promise.all(Array.from({ length: 12 }, () => make(5)));
      expect(made.filter((one) => one === true)).toHaveLength(4);
      expect(made.filter((one) => one === "too_many")).toHaveLength(8);
      expect(await store.accounts.listKeys(accountId)).toHaveLength(5);
      // One that is disabled counts, and one that is deleted does not.
      await store.accounts.updateKey(id, { enabled: false });
      expect(await make(5)).toBe("too_many");
      await store.accounts.deleteKey(id, 1);
      expect(await make(5)).toBe(true);
      // An account that has more of them keeps those.
      expect(await make(2)).toBe("too_many");
      expect(await store.accounts.listKeys(accountId)).toHaveLength(5);
    });

    test("a change sets what it names and nothing else", async () => {
      const made = await customer(store, { credit: 0n, budget: 10n });
      const changes = {
        name: "desk",
        enabled: false,
        expiresAtMs: 9_000,
        models: ["b-2.0"],
        networks: [],
        requestsPerMinute: 0,
        tokensPerMinute: 1,
        concurrency: 2,
        hard: true,
        accountRead: true,
        showCost: false,
      };
      for (const [setting, value] of Object.entries(changes)) {
        const before = await store.accounts.findKey(made.hash);
        expect(await store.accounts.updateKey(made.id, { [setting]: value })).toBe(true);
        expect(await store.accounts.findKey(made.hash)).toEqual({
          ...(before as NonNullable<typeof before>),
          [setting]: value,
        });
      }
      expect(await store.accounts.updateKey(made.id, { models: null, expiresAtMs: null })).toBe(
        true,
      );
      const found = await store.accounts.findKey(made.hash);
      expect(found).toMatchObject({ models: null, expiresAtMs: null, name: "desk" });
      expect(await onlyBudget(store, made.id)).toMatchObject({ amount: 10n, used: 0n, held: 0n });
      expect(await store.accounts.updateKey(made.id, {})).toBe(true);
      expect(await store.accounts.updateKey("key_none", { enabled: false })).toBe(false);
      expect(await store.accounts.updateKey(made.accountId, { budgets: [] })).toBe(false);
    });

    test("a budget is set, raised and lifted without touching what was used", async () => {
      const made = await customer(store, { credit: 100n, budget: 10n });
      const asked = await admitted(store, made, 5n);
      await post(store, asked, 4n);
      await store.accounts.updateKey(made.id, { budgets: total(HUGE) });
      expect(await onlyBudget(store, made.id)).toMatchObject({ amount: HUGE, used: 4n, held: 0n });
      await store.accounts.updateKey(made.id, { budgets: [] });
      expect(await store.ledger.spending(made.id)).toEqual({
        used: 4n,
        held: 0n,
        running: 0n,
        budgets: [],
      });
      await store.accounts.updateKey(made.id, { budgets: total(3n) });
      expect(await onlyBudget(store, made.id)).toMatchObject({ amount: 3n, used: 4n });
      expect(await store.ledger.spending("key_none")).toBeUndefined();
      expect(await store.ledger.spending(made.accountId)).toBeUndefined();
    });

    test("keys are listed with their budget, all or of one account", async () => {
      const made = await customer(store, { credit: 100n, budget: 90n });
      const other = await customer(store, { credit: 0n });
      await post(store, await admitted(store, made, 5n), 4n);
      const listed = await store.accounts.listKeys(made.accountId);
      const budgets = [{ amount: 90n, period: "total", used: 4n, held: 0n, resetsAtMs: null }];
      expect(listed).toMatchObject([{ id: made.id, used: 4n, held: 0n, budgets }]);
      expect(await store.accounts.describeKey(made.id)).toEqual(listed[0] as (typeof listed)[0]);
      expect(await store.accounts.describeKey(other.id)).toMatchObject({ used: 0n, budgets: [] });
      expect(await store.accounts.describeKey("key_none")).toBeUndefined();
      expect(listed[0]).not.toHaveProperty("hash");
      expect(listed[0]?.lastUsedAtMs).toBeGreaterThan(0);
      const all = (await store.accounts.listKeys()).map(({ id }) => id);
      expect(all).toContain(made.id);
      expect(all).toContain(other.id);
    });

    test("what another process changes is seen at once", async () => {
      const made = await customer(store, { credit: 0n });
      const other = await site.open({ serve: false, create: false });
      expect(await store.accounts.findKey(made.hash)).toMatchObject({ enabled: true });
      await other.accounts.updateKey(made.id, { enabled: false });
      expect(await store.accounts.findKey(made.hash)).toMatchObject({ enabled: false });
      await credit(other, made.accountId, 30n);
      expect(await admitted(store, made, 30n)).toMatchObject({ held: 30n });
      await other.close();
    });
  });

  describe(`credits on ${engine.name}`, () => {
    const site = perSuite(engine.site);
    const store = perSuite(() => site.open());

    test("the same credit counts once, however often and from wherever it is sent", async () => {
      const made = await customer(store, { credit: 0n });
      const id = newId("ref_");
      const other = await site.open({ serve: false });
      const sent = [store, other, store, other].map((from) =>
        credit(from, made.accountId, 25n, id),
      );
      expect((await Promise.all(sent)).filter(Boolean)).toHaveLength(1);
      expect(await store.ledger.balance(made.accountId)).toMatchObject({ credited: 25n });
      expect(await store.ledger.accountOfEntry(id)).toBe(made.accountId);
      expect(await store.ledger.accountOfEntry("nobody's")).toBeUndefined();
    });

    test("trial credit is told from money", async () => {
      const made = await customer(store, { credit: 0n });
      const trial = { accountId: made.accountId, amount: 5n, note: "hello", createdAtMs: 1 };
      await store.ledger.credit({ ...trial, id: newId("ref_"), kind: "trial" });
      expect(await store.ledger.balance(made.accountId)).toMatchObject({ trialOnly: true });
      await store.ledger.credit({ ...trial, id: newId("ref_"), kind: "topup" });
      expect(await store.ledger.balance(made.accountId)).toMatchObject({
        credited: 10n,
        trialOnly: false,
      });
    });

    test("a credit to an unknown account throws and leaves nothing", async () => {
      const id = newId("ref_");
      expect(await failureOf(credit(store, "acct_none", 5n, id))).toBeInstanceOf(Error);
      const made = await customer(store, { credit: 0n });
      expect(await credit(store, made.accountId, 5n, id)).toBe(true);
    });

    test("amounts above 53 bits survive every sum they go through", async () => {
      const made = await customer(store, { credit: HUGE + 2n, budget: HUGE });
      const asked = await admitted(store, made, HUGE);
      expect(asked.held).toBe(HUGE);
      expect(await store.ledger.balance(made.accountId)).toMatchObject({ held: HUGE });
      expect(await raise(store, asked, 2n)).toEqual({ kind: "granted", granted: 2n, lone: true });
      expect(await onlyBudget(store, made.id)).toMatchObject({ held: HUGE + 2n });
      await post(store, asked, HUGE + 4n);
      expect(await store.ledger.balance(made.accountId)).toMatchObject({
        credited: HUGE + 2n,
        charged: HUGE + 4n,
        held: 0n,
      });
      const found = await store.ledger.findReceipt(asked.requestId, made.accountId);
      expect(found?.charge.amount).toBe(HUGE + 4n);
      const [row] = await store.ledger.usage({ sinceMs: 0, keyId: made.id });
      expect(row?.cost).toBe(HUGE + 4n);
      const summary = (await store.accounts.listKeys(made.accountId))[0];
      expect(summary).toMatchObject({ used: HUGE + 4n, budgets: [{ amount: HUGE }] });
      expect(await store.ledger.verify()).toMatchObject({ problems: [] });
    });
  });

  describe(`opening ${engine.name}`, () => {
    const site = perTest(engine.emptySite);

    test("only an opener that may create makes a database", async () => {
      const error = await site.open({ create: false, serve: false }).catch((thrown) => thrown);
      expect(error).toBeInstanceOf(MissingDatabaseError);
      const setting = engine.name === "SQLite" ? "FAREGATE_DATA" : "DATABASE_URL";
      expect(error.message).toContain(setting);
      const store = await site.open();
      await store.ping();
      const made = await customer(store, { credit: 5n });
      await store.close();
      const again = await site.open({ create: false, serve: false });
      expect(await again.ledger.balance(made.accountId)).toMatchObject({ credited: 5n });
    });

    test("a closed store refuses, and does not hang", async () => {
      const store = await site.open();
      const made = await customer(store, { credit: 5n });
      await store.close();
      expect(await failureOf(admitted(store, made, 1n))).toBeInstanceOf(Error);
      expect(await failureOf(store.ping())).toBeInstanceOf(Error);
    });
  });
}

describe("texts that both databases run", () => {
  /** Every text of `Reads` and `verifyBooks`, recorded instead of run. */
  async function sharedTexts(): Promise<string[]> {
    const texts = [FIND_KEY_SQL];
    const record = (sql: string) => {
      texts.push(sql);
      return sql.includes("as open_holds") ? [{}] : [];
    };
    const reads = new Reads(record, "0");
    await reads.findAccount("a");
    await reads.operatorAccount();
    await reads.listAccounts();
    await reads.listKeys();
    await reads.listKeys("a");
    await reads.balance("a");
    await reads.spending("k");
    await reads.describeKey("k");
    await reads.findReceipt("req_1", "a", "k");
    await reads.findReceipt("resp_1", "a");
    await reads.usage({ sinceMs: 0 });
    await reads.usage({ sinceMs: 0, keyId: "k" });
    await reads.usage({ sinceMs: 0, accountId: "a", keyId: "k" });
    await reads.usage({ sinceMs: 0, accountId: "a", model: "m", keysTogether: true });
    await verifyBooks({ query: record, wrongLines: () => [], isOfRows: () => false });
    return texts;
  }

  /** SQLite numbers parameters by first appearance, so `$2` before `$1` would swap them silently. */
  function inOrder(sql: string): boolean {
    const seen = [...new Set([...sql.matchAll(/\$(\d+)/g)].map((match) => Number(match[1])))];
    return seen.every((number, i) => number === i + 1);
  }

  test("introduce their parameters in ascending order", async () => {
    const texts = await sharedTexts();
    expect(texts.filter((sql) => sql.includes("$2")).length).toBeGreaterThan(2);
    expect(texts.filter((sql) => !inOrder(sql))).toEqual([]);
    expect(inOrder("select $2, $1")).toBe(false);
  });
});
