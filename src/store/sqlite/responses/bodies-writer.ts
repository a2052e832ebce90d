import type { Database } from "bun:sqlite";
import type { BodyTable, KeptBody } from "../../../conversations/record.ts";
import { BODIES_AT_ONCE, BODY_KEYS } from "../../body-keys.ts";
import { setFlushing } from "../database.ts";

type Row = Readonly<Record<string, string>> & {
  readonly account_id: string;
  readonly body: Uint8Array;
};

/** All bodies in the file of stored responses, for whoever seals them anew. */
export class BodiesWriter {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  bodies(table: BodyTable, after: readonly string[] | undefined): KeptBody[] {
    const keys = BODY_KEYS[table];
    const names = keys.join(", ");
    const behind = after ? `and (${names}) > (${keys.map(() => "?").join(", ")})` : "";
    const text = `select ${names}, account_id, body from ${table} where body is not null ${behind}
      order by ${names} limit ${BODIES_AT_ONCE}`;
    const rows = this.#db.query(text).all(...(after ?? [])) as unknown as Row[];
    return rows.map((row) => ({
      name: keys.map((key) => String(row[key])),
      accountId: row.account_id,
      body: row.body,
    }));
  }

  /** Flushed: what the ones before were sealed with may be gone in a moment. */
  replaceBodies(table: BodyTable, bodies: readonly KeptBody[]): void {
    setFlushing(this.#db, "FULL");
    try {
      this.#replace(table, bodies);
    } finally {
      setFlushing(this.#db, "NORMAL");
    }
  }

  #replace(table: BodyTable, bodies: readonly KeptBody[]): void {
    const named = BODY_KEYS[table].map((key) => `${key} = ?`).join(" and ");
    const replace = this.#db.query(
      `update ${table} set body = ?, bytes = ? where ${named} and body is not null`,
    );
    this.#db
      .transaction(() => {
        for (const { name, body } of bodies) replace.run(body, body.byteLength, ...name);
      })
      .immediate();
  }
}
