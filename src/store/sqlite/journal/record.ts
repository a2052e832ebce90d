import { type Cell, MONEY_CELLS, type ReceiptRow } from "../../rows.ts";

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

/** Whole numbers that may pass 2⁵³ are written as texts; their places are known. */
export function writeRecord({ kind, atMs, row }: JournalRecord): string {
  const cells: Cell[] = row.slice();
  for (const i of MONEY_CELLS) cells[i] = String(cells[i]);
  return JSON.stringify([kind, atMs, cells]);
}

export function readRecord(text: string): JournalRecord {
  const [kind, atMs, cells] = JSON.parse(text) as [JournalRecord["kind"], number, Cell[]];
  if (!KINDS.includes(kind)) throw new Error(`a record of the kind ${JSON.stringify(kind)}`);
  for (const i of MONEY_CELLS) cells[i] = BigInt(cells[i] as string);
  return { kind, atMs, row: cells as readonly Cell[] as ReceiptRow };
}
