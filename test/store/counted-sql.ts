import type { Sql } from "../../src/lib/sql/sql.ts";

/** Tables that count the characters of what they give back. */
export function countedSql(sql: Sql) {
  const counted = { chars: 0 };
  const watched: Sql = {
    async query<Row>(text: string, params?: Parameters<Sql["query"]>[1]) {
      const rows = await sql.query<Row>(text, params);
      counted.chars += JSON.stringify(rows).length;
      return rows;
    },
    nowMs: () => sql.nowMs(),
    transaction: (work) => sql.transaction(work),
  };
  return { counted, watched };
}
