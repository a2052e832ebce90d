import type { NanoUsd } from "../../../catalogue/money.ts";
import { type Cell, MONEY_CELLS, type ReceiptRow } from "../../rows.ts";
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

/** The places of amounts, which may pass what JSON's numbers can count, are known. */
export function writeRecord({ kind, atMs, row }: JournalRecord): string {
  const cells: Cell[] = row.slice();
  for (const i of MONEY_CELLS) cells[i] = writeAmount(cells[i] as NanoUsd);
  return JSON.stringify([kind, atMs, cells]);
}

export function readRecord(text: string): JournalRecord {
  const [kind, atMs, cells] = JSON.parse(text) as [JournalRecord["kind"], number, Cell[]];
  if (!KINDS.includes(kind)) throw new Error(`a record of the kind ${JSON.stringify(kind)}`);
  for (const i of MONEY_CELLS) cells[i] = readAmount(cells[i] as WrittenAmount);
  return { kind, atMs, row: cells as readonly Cell[] as ReceiptRow };
}
