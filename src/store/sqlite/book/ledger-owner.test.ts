import { Database } from "bun:sqlite";
import { beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { upTo } from "../../../../test/store/other-versions.ts";
import {
  account,
  credit,
  customer,
  failureOf,
  key,
  NO_LIMITS,
  post,
  receipt,
  recovered,
  request,
  total,
} from "../../../../test/store/samples.ts";
import { partsOfTest } from "../../../../test/support/houses/house.ts";
import { eventually } from "../../../../test/support/waiting.ts";
import type { NewKey } from "../../../accounts/account.ts";
import type { BillingReason } from "../../../ledger/receipt.ts";
import { StorageError } from "../../../lib/faults.ts";
import { newId } from "../../../lib/ids.ts";
import { writeReceipt } from "../../rows.ts";
import type { Store } from "../../store.ts";
import { migrate, openFile, openReader } from "../database.ts";
import { JOURNAL_TABLES } from "../journal/journal-tables.ts";
import { type JournalRecord, writeRecord } from "../journal/record.ts";
import { MONEY_TABLES } from "../money-schema.ts";
import { openSqlite } from "../open.ts";
import { HoldSlots, readSlots } from "./hold-slots.ts";
import type { JournalPort } from "./journal-queue.ts";
import { LedgerOwner } from "./ledger-owner.ts";
import { MoneyBook } from "./money-book.ts";

const SLOTS = 8_192;

const parts = partsOfTest();
let folder: string;
beforeEach(() => {
  folder = parts.folder();
});

const serve = async () => parts.keep(await openSqlite(folder, { create: true, serve: true }));
const file = () => join(folder, "faregate.sqlite");

/** Something done to the file while nobody keeps its books. */
function atFile<T>(work: (db: Database) => T): T {
  const db = new Database(file(), { readwrite: true });
  try {
    return work(db);
  } finally {
    db.close();
  }
}

const journaled = (records: readonly string[]) =>
  atFile((db) => {
    for (const record of records) db.run("insert into journal (record) values (?)", [record]);
  });

async function closedCustomer() {
  const store = await serve();
  const made = await customer(store, { credit: 1_000n, budget: 800n });
  await store.close();
  return made;
}

const record = (
  asked: ReturnType<typeof request>,
  kind: JournalRecord["kind"],
  cost: bigint,
  billingReason: BillingReason = "completed",
) => {
  const row = writeReceipt(receipt(asked, cost, { billingReason }));
  return writeRecord({ kind, atMs: 1_760_000_000_000, row });
};

test.each([0n, 7n])(
  "all who read in one moment see what is held, beside %p settled",
  async (cost) => {
    const store = await serve();
    const made = await customer(store, { credit: 1_000n, budget: 800n });
    const open = request(made, 50n);
    await store.admission.admit(open);
    if (cost > 0n) {
      const over = request(made, 50n);
      await store.admission.admit(over);
      await post(store, over, cost);
    }
    const { accountId, keyId } = open;
    const [balance, again, spending, described] = await Promise.all([
      store.ledger.balance(accountId),
      store.ledger.balance(accountId),
      store.ledger.spending(keyId),
      store.accounts.describeKey(keyId),
    ]);
    for (const sums of [balance, again]) expect(sums).toMatchObject({ charged: cost, held: 50n });
    for (const sums of [spending, described?.budgets[0]]) {
      expect(sums).toMatchObject({ used: cost, held: 50n });
    }
  },
);

describe("the journal that a process left", () => {
  test("is in the rows when the next one opens the books, the first line of an id alone", async () => {
    const made = await closedCustomer();
    const [first, second] = [request(made, 50n), request(made, 50n)];
    journaled([
      record(first, "post", 7n),
      record(first, "void", 0n),
      record(first, "post", 9n),
      record(second, "void", 0n),
      record(second, "post", 11n),
    ]);
    const store = await serve();
    expect(await store.ledger.balance(made.accountId)).toMatchObject({ charged: 7n, held: 0n });
    expect(await store.ledger.findReceipt(first.requestId, made.accountId)).toMatchObject({
      charge: { amount: 7n },
    });
    expect(await store.ledger.verify()).toMatchObject({ receipts: 2, problems: [] });
    expect(atFile((db) => db.query("select * from journal").all())).toEqual([]);
  });

  test("corrects once what was interrupted, and nothing that was not", async () => {
    const made = await closedCustomer();
    const [late, ended] = [request(made, 50n), request(made, 50n)];
    journaled([
      record(late, "void", 0n, "interrupted"),
      record(ended, "void", 0n, "upstream_failed"),
      record(late, "correction", 7n),
      record(late, "correction", 9n),
      record(ended, "correction", 11n),
    ]);
    const store = await serve();
    expect(await store.ledger.balance(made.accountId)).toMatchObject({ charged: 7n, held: 0n });
    const { receipts, problems } = await store.ledger.verify();
    expect(receipts).toBe(2);
    expect(problems).toEqual([expect.stringContaining(ended.requestId)]);
    expect(problems[0]).toContain("set aside");
  });

  test("loses no line for one that cannot be applied, which is set aside and told of", async () => {
    const made = await closedCustomer();
    const [first, last] = [request(made, 50n), request(made, 50n)];
    const stranger = request({ id: "key_none", accountId: "acct_none" }, 5n);
    const lost = request({ id: "key_none", accountId: made.accountId }, 5n);
    journaled([
      record(first, "post", 7n),
      record(stranger, "post", 3n),
      record(lost, "post", 3n),
      "not a line of ours",
      record(request(made, 1n), "void", 4n),
      record(last, "post", 5n),
    ]);
    const store = await serve();
    const charged = { charged: 12n, held: 0n };
    expect(await store.ledger.balance(made.accountId)).toMatchObject(charged);
    const { problems, receipts } = await store.ledger.verify();
    expect(receipts).toBe(2);
    expect(problems).toHaveLength(4);
    expect(problems[0]).toContain(stranger.requestId);
    expect(problems[1]).toContain(lost.requestId);
    expect(problems.filter((problem) => !problem.includes("set aside"))).toEqual([]);
    // They stay where they are, and are not tried again.
    await store.close();
    const again = await serve();
    expect((await again.ledger.verify()).problems).toEqual(problems);
    expect(await again.ledger.balance(made.accountId)).toMatchObject(charged);
  });
});

test("books that cannot be taken leave nothing of them open", async () => {
  await closedCustomer();
  const check = () => {
    throw new StorageError("database or disk is full");
  };
  const opening = LedgerOwner.open({ folder, create: false, clock: Date.now, check });
  expect((await failureOf(opening)).message).toContain("full");
  // Whoever closes a database last takes away what was beside it.
  expect(existsSync(`${file()}-wal`)).toBe(false);
});

test("an older program does not open books that are kept like this", async () => {
  await (await serve()).close();
  const db = openFile(file(), { create: false, synchronous: "FULL" });
  const older = upTo(MONEY_TABLES, MONEY_TABLES.versions.indexOf(JOURNAL_TABLES));
  expect(() => migrate(db, older)).toThrow(/newer/);
  db.close();
});

describe("holds", () => {
  async function admitMany(store: Store, many: number, over = {}) {
    const owner = account();
    await store.accounts.createAccount(owner);
    await credit(store, owner.id, 10_000_000n);
    const made = key(owner.id);
    await store.accounts.createKey(made);
    const asked = Array.from({ length: many }, () => request(made, 2n, over));
    const outcomes = await Promise.all(asked.map((each) => store.admission.admit(each)));
    expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(["admitted"]));
    return { made, asked };
  }

  async function expectInterrupted(made: NewKey, many: number, held = 2n * BigInt(many)) {
    const next = await serve();
    expect(await next.ledger.balance(made.accountId)).toMatchObject({ held });
    expect(await recovered(next)).toBe(many);
    expect(await recovered(next)).toBe(0);
    expect(await next.ledger.balance(made.accountId)).toMatchObject({ held: 0n });
    expect(await next.ledger.verify()).toMatchObject({ openHolds: 0, problems: [] });
  }

  test("that find no slot are rows, and outlive their process as well", async () => {
    const store = await serve();
    const { made, asked } = await admitMany(store, SLOTS + 3);
    const rows = () => atFile((db) => db.query("select id from holds").all().length);
    expect(rows()).toBe(3);
    expect(await post(store, asked.at(-1) as (typeof asked)[0], 1n)).toBe("done");
    expect(await post(store, asked[0] as (typeof asked)[0], 1n)).toBe("done");
    await store.close();
    expect(rows()).toBe(2);
    await expectInterrupted(made, SLOTS + 1);
  });

  test("are rows where files cannot be mapped, as on Windows", async () => {
    mkdirSync(join(folder, "holds.map"));
    const store = await serve();
    const { made, asked } = await admitMany(store, 3);
    expect(atFile((db) => db.query("select id from holds").all().length)).toBe(3);
    expect(await post(store, asked[0] as (typeof asked)[0], 1n)).toBe("done");
    await store.close();
    await expectInterrupted(made, 2);
  });

  test("that are too long for a slot are rows", async () => {
    const store = await serve();
    const { made } = await admitMany(store, 2, { model: "m".repeat(600) });
    await store.close();
    await expectInterrupted(made, 2);
  });

  test("that could not be written as rows have taken no tokens of their key", async () => {
    const made = await closedCustomer();
    const refused = () => Promise.reject(new Error("the disk is full"));
    const journal: JournalPort = {
      append: refused,
      settleUp: refused,
      prove: async () => {},
      keyStates: refused,
    };
    const db = parts.adopt(openReader(file()), (opened) => opened.close());
    const book = new MoneyBook({ db, journal, slots: undefined, clock: () => Date.now() });
    const limits = { ...NO_LIMITS, tokensPerMinute: 100 };
    for (let i = 0; i < 3; i++) {
      const failure = await failureOf(book.admit(request(made, 5n, { limits, tokens: 60 })));
      expect(failure.message).toContain("the disk is full");
    }
  });

  test("are rows where no file can be mapped, raised ones too", async () => {
    mkdirSync(join(folder, "holds.map"));
    const store = await serve();
    const { made, asked } = await admitMany(store, 4);
    const [first, second] = asked as [(typeof asked)[0], (typeof asked)[0]];
    const more = { ...first, need: 2n, floor: 2n, hard: false };
    expect(await store.admission.raise(more)).toMatchObject({ kind: "granted", granted: 2n });
    expect(await post(store, second, 1n)).toBe("done");
    expect(await store.ledger.verify()).toMatchObject({ openHolds: 3, problems: [] });
    await store.close();
    await expectInterrupted(made, 3, 8n);
  });

  test("that were raised are left as they were last", async () => {
    const store = await serve();
    const made = await customer(store, { credit: 1_000n });
    const asked = request(made, 30n);
    await store.admission.admit(asked);
    await store.admission.raise({ ...asked, need: 12n, floor: 12n });
    await store.close();
    const next = await serve();
    expect(await next.ledger.balance(made.accountId)).toMatchObject({ held: 42n });
    expect(await recovered(next)).toBe(1);
    const found = await next.ledger.findReceipt(asked.requestId, made.accountId);
    expect(found).toMatchObject({ billingReason: "interrupted", held: 42n });
  });

  test("that a kill caught while they were raised are one", async () => {
    const made = await closedCustomer();
    const slots = HoldSlots.open(join(folder, "holds.map"));
    const { requestId: id, model, endpoint, channel } = request(made, 1n);
    const kept = { id, account_id: made.accountId, key_id: made.id, input_cost: 1n, model };
    for (const amount of [30n, 42n]) {
      slots?.take({ ...kept, amount, endpoint, channel, stream: 0, created_at: 5 });
    }
    await expectInterrupted(made, 1, 42n);
    expect(readSlots(join(folder, "holds.map"))).toEqual([]);
  });

  test("of a key that the file does not have were never let in", async () => {
    await closedCustomer();
    const slots = HoldSlots.open(join(folder, "holds.map"));
    const names = { account_id: "acct_cut", key_id: "key_cut", model: "m", endpoint: "e" };
    const rest = { input_cost: 1n, channel: "c", stream: 0, created_at: 5 };
    slots?.take({ id: "req_cut", amount: 3n, ...names, ...rest });
    const store = await serve();
    expect(await recovered(store)).toBe(0);
    expect(readSlots(join(folder, "holds.map"))).toEqual([]);
  });
});

test("the last minute of a key is known after a restart", async () => {
  const limits = { requestsPerMinute: 3, tokensPerMinute: 0, concurrency: 0 };
  const store = await serve();
  const made = await customer(store, { credit: 1_000n });
  for (let i = 0; i < 3; i++) await store.admission.admit(request(made, 0n, { limits }));
  await store.close();
  const next = await serve();
  const outcome = await next.admission.admit(request(made, 0n, { limits }));
  expect(outcome).toMatchObject({ kind: "limited", limit: "requests", used: 3 });
});

/** The books in this very process; what they ask of the file fails where `check` throws. */
const keep = async (check: () => void) =>
  parts.keep(await LedgerOwner.open({ folder, create: false, clock: Date.now, check }));

describe("where the file cannot be had for a moment", () => {
  const away = () => new StorageError("database is locked");

  test("the last minute of a key is written when it can be", async () => {
    const made = await closedCustomer();
    let [isAway, asked] = [false, 0];
    const owner = await keep(() => {
      asked += 1;
      if (isAway) throw away();
    });
    isAway = true;
    asked = 0;
    const limits = { requestsPerMinute: 3, tokensPerMinute: 0, concurrency: 0 };
    await owner.admission.admit(request(made, 0n, { limits }));
    await eventually("it could not be written", () => asked > 0);
    isAway = false;
    const rows = () => atFile((db) => db.query("select requests from rate_seconds").all());
    await eventually("it is written", () => rows().length > 0);
    expect(rows()).toEqual([{ requests: 1 }]);
  });

  test("what others have changed in it is read when it can be", async () => {
    const made = await closedCustomer();
    let asked: number | undefined;
    const owner = await keep(() => {
      if (asked !== undefined && ++asked === 2) throw away();
    });
    const ask = () => owner.admission.admit(request(made, 1_500n, { hard: true, floor: 1_500n }));
    expect(await ask()).toMatchObject({ kind: "short" });
    // It is seen that somebody has written, but not what.
    asked = 0;
    atFile((db) => {
      db.run("update scopes set max = 2000 where kind = 'balance'");
      db.run("update budgets set max = 2000");
    });
    await eventually("it is judged by", async () => (await ask()).kind === "admitted");
  });
});

describe("money that leaves an account", () => {
  const debit = (accountId: string, amount: bigint, id = newId("ref_")) =>
    ({ id, accountId, amount, kind: "refund", note: "", createdAtMs: 4_000 }) as const;

  test("is never what is held, nor let to anybody while it leaves", async () => {
    const store = await serve();
    const made = await customer(store, { credit: 100n });
    await store.admission.admit(request(made, 60n));
    expect(await store.ledger.debit(debit(made.accountId, 41n))).toBe("short");
    const leaving = store.ledger.debit(debit(made.accountId, 40n));
    // Nothing of it has been written yet.
    expect(await store.admission.admit(request(made, 1n, { hard: true }))).toMatchObject({
      kind: "wait",
    });
    expect(await leaving).toBe("done");
    expect(await store.ledger.balance(made.accountId)).toMatchObject({ credited: 60n, held: 60n });
    expect((await store.ledger.verify()).problems).toEqual([]);
  });

  test("is there again where the debit came to nothing", async () => {
    const store = await serve();
    const made = await customer(store, { credit: 100n });
    const first = debit(made.accountId, 30n);
    expect(await store.ledger.debit(first)).toBe("done");
    expect(await store.ledger.debit(first)).toBe("already");
    expect(await store.ledger.debit({ ...first, amount: 1_000n })).toBe("already");
    expect(await store.ledger.debit(debit("acct_none", 1n))).toBe("short");
    expect(await store.admission.admit(request(made, 70n, { hard: true }))).toMatchObject({
      kind: "admitted",
      held: 70n,
    });
  });

  test("and what is let in at the same time never add up to more than there is", async () => {
    const store = await serve();
    const beside = parts.keep(await openSqlite(folder, { create: false, serve: false }));
    const made = await customer(store, { credit: 1_000n });
    const work = Array.from({ length: 120 }, async (_, i) => {
      const from = i % 2 ? store : beside;
      if (i % 3 === 0)
        return (await from.ledger.debit(debit(made.accountId, 20n))) === "done" ? 20n : 0n;
      const outcome = await from.admission.admit(request(made, 20n, { hard: true }));
      return outcome.kind === "admitted" ? outcome.held : 0n;
    });
    const taken = (await Promise.all(work)).reduce((sum, each) => sum + each);
    expect(taken).toBe(1_000n);
    const { credited, held } = (await store.ledger.balance(made.accountId)) ?? {};
    expect((credited ?? 0n) - (held ?? 0n)).toBe(0n);
    expect((await store.ledger.verify()).problems).toEqual([]);
  });
});

test("what another process credits and sets is judged by at once", async () => {
  const store = await serve();
  const beside = parts.keep(await openSqlite(folder, { create: false, serve: false }));
  const made = await customer(store, { credit: 10n });
  const ask = async (cost: bigint) => store.admission.admit(request(made, cost, { hard: true }));
  expect(await ask(50n)).toMatchObject({ kind: "short", left: 10n });
  await credit(beside, made.accountId, 90n);
  await post(store, { ...request(made, 1n) }, 1n);
  expect(await ask(50n)).toMatchObject({ kind: "admitted", held: 50n });
  await beside.accounts.updateKey(made.id, { budgets: total(40n) });
  expect(await ask(50n)).toMatchObject({ kind: "wait", scopeId: made.id });
  await beside.accounts.updateKey(made.id, { budgets: total(75n) });
  expect(await ask(20n)).toMatchObject({ kind: "admitted", left: 25n });
  await beside.accounts.updateKey(made.id, { enabled: false });
  expect(await store.accounts.findKey(made.hash)).toMatchObject({ enabled: false });
});
