/** Texts introduce `$1`, `$2`… in ascending order, because SQLite numbers them by first appearance. */
export interface ReadStatement {
  readonly text: string;
  readonly params: readonly (string | number)[];
}

/** Reads of the money database, away from the loop that relays bytes and from its connections. */
export interface MoneyReader {
  /** The rows of each statement. All of them see the same moment. */
  read(statements: readonly ReadStatement[]): Promise<readonly (readonly unknown[])[]>;
  /** How this database says what time it is. */
  readonly nowMsSql: string;
  close(): Promise<void>;
}

export function statement(text: string, ...params: (string | number)[]): ReadStatement {
  return { text, params };
}

/** The rows of a single statement. */
export async function readRows<Row>(
  reader: MoneyReader,
  asked: ReadStatement,
): Promise<readonly Row[]> {
  const [rows = []] = await reader.read([asked]);
  return rows as readonly Row[];
}
