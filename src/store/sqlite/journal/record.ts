import type { NanoUsd } from "../../../catalogue/money.ts";
import { AT, type Cell, MONEY_CELLS, RECEIPT_COLUMNS, type ReceiptRow } from "../../rows.ts";
import { readAmount, type WrittenAmount, writeAmount } from "./written-amount.ts";

const KINDS = ["post", "void", "correction", "refuse"] as const;

/**
 * What a line of the journal says: the end of a hold, or a refusal, with the moment it counts for. A
 * receipt is all there is to know of either.
 */
export interface JournalRecord {
  readonly kind: (typeof KINDS)[number];
  readonly atMs: number;
  readonly row: ReceiptRow;
}

/**
 * How many cells of a receipt older programs bind. A line of this program may be left for one of them, after a kill, so
 * columns that came later follow behind the cells.
 */
const EARLIER_CELLS = RECEIPT_COLUMNS.indexOf("input_loss");

/** The places of amounts, which may pass what JSON's numbers can count, are known. */
export function writeRecord({ kind, atMs, row }: JournalRecord): string {
  const cells: Cell[] = row.slice();
  for (const i of MONEY_CELLS) cells[i] = writeAmount(cells[i] as NanoUsd);
  cells.length = EARLIER_CELLS;
  const inputLoss = row[AT.inputLoss];
  if (inputLoss === 0n) return JSON.stringify([kind, atMs, cells]);
  return JSON.stringify([kind, atMs, cells, writeAmount(inputLoss)]);
}

type RecordCells = [JournalRecord["kind"], number, Cell[], WrittenAmount?];

export function readRecord(text: string): JournalRecord {
  const [kind, atMs, cells, inputLoss = 0] = JSON.parse(text) as RecordCells;
  if (!KINDS.includes(kind)) throw new Error(`a record of the kind ${JSON.stringify(kind)}`);
  cells[EARLIER_CELLS] = inputLoss;
  for (const i of MONEY_CELLS) cells[i] = readAmount(cells[i] as WrittenAmount);
  return { kind, atMs, row: cells as readonly Cell[] as ReceiptRow };
}
