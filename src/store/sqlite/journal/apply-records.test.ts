import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BooksHere, booksHere, customerHere } from "../../../../test/store/books-here.ts";
import { key, receipt, request } from "../../../../test/store/samples.ts";
import { systemClock } from "../../../lib/clock.ts";
import { interruptedRow } from "../../money/interrupted.ts";
import { writeReceipt } from "../../rows.ts";
import { writeRecord } from "./record.ts";

let folder = "";
let books: BooksHere;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "records-"));
  books = booksHere(join(folder, "faregate.sqlite"), systemClock);
});

afterEach(() => {
  books.close();
  rmSync(folder, { recursive: true });
});

const all = (text: string) => books.db.query(text).values();

function bringIn(lines: readonly string[]): void {
  books.journal.append(lines.join("\n"));
  books.journal.settleUp([]);
}

const MANY = 45;
const COST = 10n;

/** So many charges of one key. */
function charges(key: ReturnType<typeof customerHere>): { id: string; line: string }[] {
  return Array.from({ length: MANY }, () => {
    const asked = request(key, COST);
    const row = writeReceipt(receipt(asked, COST));
    return { id: asked.requestId, line: writeRecord({ kind: "post", atMs: 1_000, row }) };
  });
}

const TOTALS = `select (select count(*) from entries where kind = 'post'),
  (select sum(amount) from entries where kind = 'post'), (select count(*) from receipts),
  (select sum(requests) from rollups), (select sum(cost) from rollups),
  (select used from scopes where kind = 'key'), (select count(*) from journal_set_aside)`;

/** What the tables say after so many charges, and so many records that were set aside. */
function totals(count: number, setAside = 0) {
  const cost = count * Number(COST);
  return [[count, cost, count, count, cost, cost, setAside]];
}

test("a request that was interrupted and corrected among the same records counts once", () => {
  const asked = request(customerHere(books, 1_000n), 50n);
  const { requestId: id, accountId: account_id, keyId: key_id, inputCost: input_cost } = asked;
  const { model, endpoint, channel } = asked;
  const whose = { id, account_id, key_id, amount: 50n, input_cost };
  const hold = { ...whose, model, endpoint, channel, stream: 0, created_at: 1_000 };
  const charged = receipt(asked, 40n);
  const cost = charged.charge.amount;
  const lines = [
    writeRecord({ kind: "void", atMs: 2_000, row: interruptedRow(hold, 2_000) }),
    writeRecord({ kind: "correction", atMs: 3_000, row: writeReceipt(charged) }),
  ];
  bringIn(lines);
  expect(all("select kind, amount from entries where hold_id is not null")).toEqual([
    ["void", 0],
    ["correction", Number(cost)],
  ]);
  expect(all("select billing_reason, cost from receipts")).toEqual([
    [charged.billingReason, Number(cost)],
  ]);
  expect(all("select sum(requests), sum(cost) from rollups")).toEqual([[1, Number(cost)]]);
  expect(all("select count(*) from journal_set_aside")).toEqual([[0]]);
});

test("records that come by the dozen are rows in their order, each once", () => {
  const made = charges(customerHere(books, 1_000n));
  bringIn(made.map(({ line }) => line));
  expect(all(TOTALS)).toEqual(totals(MANY));
  const ids = made.map(({ id }) => [id]);
  expect(all("select hold_id from entries where kind = 'post' order by seq")).toEqual(ids);
});

test("the first record of an id counts, where the second is among the same", () => {
  const lines = charges(customerHere(books, 1_000n)).map(({ line }) => line);
  bringIn([...lines, lines[7] as string]);
  expect(all(TOTALS)).toEqual(totals(MANY));
});

test("the first record of an id counts, where it was a row before", () => {
  const lines = charges(customerHere(books, 1_000n)).map(({ line }) => line);
  bringIn(lines.slice(0, 9));
  bringIn(lines);
  expect(all(TOTALS)).toEqual(totals(MANY));
});

test("one among many that nobody can apply is set aside, and the others are rows", () => {
  const made = charges(customerHere(books, 1_000n)).map(({ line }) => line);
  const [strange = ""] = charges({ ...key("acct_nobody"), id: "key_nobody" }).map(
    ({ line }) => line,
  );
  bringIn([...made.slice(0, 20), strange, ...made.slice(20)]);
  expect(all(TOTALS)).toEqual(totals(MANY, 1));
  expect(all("select record from journal_set_aside")).toEqual([[strange]]);
});

test("refusals that come in a loop among the same records share the receipt of the first", () => {
  const made = customerHere(books, 1_000n);
  const asked = request(made, 0n);
  const first = receipt(asked, 0n, { lastAtMs: 5_000 });
  const again = { ...first, requests: 5, lastAtMs: 9_000 };
  const lines = [first, again].map((each) =>
    writeRecord({ kind: "refuse", atMs: 1_000, row: writeReceipt(each) }),
  );
  const [before = [], after = []] = [charges(made), charges(made)];
  bringIn([...before.map(({ line }) => line), ...lines, ...after.map(({ line }) => line)]);
  expect(all(`select requests, last_at from receipts where id = '${asked.requestId}'`)).toEqual([
    [6, 9_000],
  ]);
  expect(all("select count(*), sum(requests) from receipts")).toEqual([
    [2 * MANY + 1, 2 * MANY + 6],
  ]);
});

test("a budget that turns back among many records knows what was charged in the window before them", () => {
  const period = { amount: 1_000_000n, period: "day", timeZone: "UTC" } as const;
  const made = customerHere(books, 1_000_000n, { budgets: [period] });
  const days = [1, 2, 1].map((day) => day * 86_400_000);
  const lines = days.flatMap((atMs) =>
    Array.from({ length: 12 }, () => {
      const row = writeReceipt(receipt(request(made, COST), COST));
      return writeRecord({ kind: "post", atMs, row });
    }),
  );
  bringIn(lines);
  const spent = 12 * Number(COST);
  expect(all("select base, window_start from budgets")).toEqual([[spent, 86_400_000]]);
  expect(all("select count(*) from journal_set_aside")).toEqual([[0]]);
});
