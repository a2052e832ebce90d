import type { Row, Value } from "./source.ts";

/** What a column comes to: how many of its cells are something, and their sum, or how many bytes they are. */
interface ColumnSum {
  filled: bigint;
  total: bigint;
}

function sizeOf(value: Exclude<Value, null>): bigint {
  if (typeof value === "bigint") return value;
  if (typeof value === "string") return BigInt(Buffer.byteLength(value));
  if (typeof value === "number") return BigInt(Math.round(value));
  return BigInt(value.byteLength);
}

/** Added up as rows go by. */
export class ColumnSums {
  readonly columns: readonly string[];
  readonly #sums: ReadonlyMap<string, ColumnSum>;
  #rows = 0;

  constructor(columns: readonly string[]) {
    this.columns = columns;
    this.#sums = new Map(columns.map((name) => [name, { filled: 0n, total: 0n }]));
  }

  add(row: Row): void {
    this.#rows += 1;
    for (const [name, sum] of this.#sums) {
      const value = row[name] ?? null;
      if (value === null) continue;
      sum.filled += 1n;
      sum.total += sizeOf(value);
    }
  }

  /** As lines that are alike where everything is. */
  lines(table: string): string[] {
    const columns = [...this.#sums].map(([name, { filled, total }]) => {
      return sumLine(table, name, String(filled), String(total));
    });
    return [`${table}: ${this.#rows} rows`, ...columns];
  }
}

export function sumLine(table: string, column: string, filled: string, total: string): string {
  return `${table}.${column}: ${filled} filled, ${total} in all`;
}
