import { describe, expect, test } from "bun:test";
import { receipt, request } from "../../../../test/store/samples.ts";
import { type Cell, MONEY_CELLS, RECEIPT_COLUMNS, writeReceipt } from "../../rows.ts";
import { type JournalRecord, readRecord, writeRecord } from "./record.ts";

const LARGE = 2n ** 60n + 1n;

function recordOf(cost: bigint, loss = 0n, inputLoss = 0n): JournalRecord {
  const asked = request({ id: "key_1", accountId: "acct_1" }, cost);
  return {
    kind: "post",
    atMs: 1_794_700_800_123,
    row: writeReceipt(receipt(asked, cost, { loss, inputLoss })),
  };
}

/** The columns of a receipt that the version before knows. */
const BEFORE = RECEIPT_COLUMNS.length - 1;
const MONEY_BEFORE = MONEY_CELLS.filter((i) => i < BEFORE);

/** As the first version of the journal has written a line, and as it has read one. */
function writeBefore({ kind, atMs, row }: JournalRecord): string {
  const cells: Cell[] = row.slice(0, BEFORE);
  for (const i of MONEY_BEFORE) cells[i] = String(cells[i]);
  return JSON.stringify([kind, atMs, cells]);
}

function readBefore(text: string): unknown {
  const [kind, atMs, row] = JSON.parse(text) as [string, number, Cell[]];
  for (const i of MONEY_BEFORE) row[i] = BigInt(row[i] as string);
  return { kind, atMs, row };
}

describe("a line of the journal", () => {
  test.each([0n, 1n, 388_750n, 2n ** 53n - 1n, 2n ** 53n, LARGE])("of %d is read back", (cost) => {
    const record = recordOf(cost, cost);
    expect(readRecord(writeRecord(record))).toEqual(record);
  });

  test("is read by the version before, and that one's by this", () => {
    for (const record of [recordOf(388_750n), recordOf(LARGE, LARGE)]) {
      expect(readBefore(writeRecord(record))).toEqual({
        ...record,
        row: record.row.slice(0, BEFORE),
      });
      expect(readRecord(writeBefore(record))).toEqual(record);
    }
  });

  test("keeps a loss of input behind what the version before reads", () => {
    const record = recordOf(1n, LARGE, LARGE);
    expect(readRecord(writeRecord(record))).toEqual(record);
    expect(readBefore(writeRecord(record))).toEqual({
      ...record,
      row: record.row.slice(0, BEFORE),
    });
  });

  test("of a kind that is not known is refused", () => {
    const text = writeRecord(recordOf(1n)).replace("post", "past");
    expect(() => readRecord(text)).toThrow('a record of the kind "past"');
  });
});
