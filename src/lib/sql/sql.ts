export type SqlValue = string | number | bigint | null;

/**
 * The database of everything but money and stored responses: identities, orders, settings. Texts are
 * the same on both engines: `$1`, `$2`… introduced in ascending order, money as bigint columns that
 * are read back as text. Nothing here runs on the loop that relays bytes.
 */
export interface Sql {
  query<Row>(text: string, params?: readonly SqlValue[]): Promise<readonly Row[]>;
  /** Milliseconds since 1970 by the clock that all processes on this database share. */
  nowMs(): Promise<number>;
  /** All or nothing. What is asked through another `Sql` meanwhile waits. */
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
}

/**
 * Tables of one room: a text for each version. One that has been released is never edited, which is noticed by
 * its checksum.
 */
export interface RoomTables {
  readonly room: string;
  readonly versions: readonly string[];
  /**
   * How many of them a program must know to work with the tables as they are now: the number of the last
   * version that took away or changed something. What came after it only added, which older programs do not
   * notice.
   */
  readonly least: number;
}
