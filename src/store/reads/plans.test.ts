// What a request may ask of the books is found by an index: there are rows of every request ever made.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { booksHere, customerHere } from "../../../test/store/books-here.ts";
import { perFile } from "../../../test/support/houses/house.ts";
import { Reads } from "./reads.ts";

const folder = await perFile((parts) => parts.folder());
const books = booksHere(join(folder, "books.sqlite"), () => 1);
const { id: keyId, accountId } = customerHere(books, 100n);

const plan: string[] = [];
const reads = new Reads(async (sql, params) => {
  const steps = books.db.query(`explain query plan ${sql}`).all(...params);
  plan.push(...steps.map((step) => (step as { detail: string }).detail));
  return books.db.query(sql).all(...params);
}, "1");

test.each<[string, () => Promise<unknown>]>([
  ["a balance", () => reads.balance(accountId)],
  ["what a key has spent", () => reads.spending(keyId)],
  ["a key", () => reads.describeKey(keyId)],
  ["the keys of an account", () => reads.listKeys(accountId)],
  ["an account", () => reads.findAccount(accountId)],
  ["the operator's account", () => reads.operatorAccount()],
  ["whether an account was used", () => reads.isUnused(accountId, "trial-1")],
  ["whose an entry is", () => reads.accountOfEntry("late_req_1")],
  ["a receipt by its request", () => reads.findReceipt("req_1", accountId)],
  ["a receipt by its answer", () => reads.findReceipt("resp_1", accountId)],
  ["the usage of an account", () => reads.usage({ sinceMs: 0, accountId })],
  ["the usage of a key", () => reads.usage({ sinceMs: 0, accountId, keyId })],
])("%s is read without a look at all rows of a table", async (_what, read) => {
  plan.length = 0;
  await read();
  expect(plan).not.toEqual([]);
  expect(plan.filter((step) => step.startsWith("SCAN"))).toEqual([]);
});
