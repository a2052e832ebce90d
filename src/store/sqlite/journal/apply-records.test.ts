import { afterEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BooksHere, booksHere, customerHere } from "../../../../test/store/books-here.ts";
import { receipt, request } from "../../../../test/store/samples.ts";
import { systemClock } from "../../../lib/clock.ts";
import { interruptedRow } from "../../money/interrupted.ts";
import { writeReceipt } from "../../rows.ts";
import { writeRecord } from "./record.ts";

const folder = mkdtempSync(join(tmpdir(), "records-"));
let books: BooksHere | undefined;

afterEach(() => {
  books?.close();
  rmSync(folder, { recursive: true });
});

test("a request that was interrupted and corrected among the same records counts once", () => {
  books = booksHere(join(folder, "faregate.sqlite"), systemClock);
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
  books.journal.append(lines.join("\n"));
  books.journal.settleUp([]);
  const all = (text: string) => books?.db.query(text).values();
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
