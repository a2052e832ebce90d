import type { Database } from "bun:sqlite";
import type { Reader, ResponseRecord } from "../../../conversations/record.ts";
import type { ChainReach } from "../../../conversations/store.ts";
import { type ResponseRow, readResponse } from "../../response-rows.ts";

/** Stored responses of the file apart. It reads as well as writes, to keep large bodies off the main loop. */
export class ResponsesWriter {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  save(record: ResponseRecord, accountBytesMax: number): void {
    this.#db
      .transaction(() => {
        this.#makeRoom(record.accountId, accountBytesMax - record.body.byteLength);
        this.#db
          .query(
            `insert into responses
             (id, account_id, key_id, parent_id, created_at, expires_at, bytes, body)
             values (?, ?, ?, ?, ?, ?, ?, ?)`,
          )
          .run(
            record.id,
            record.accountId,
            record.keyId,
            record.parentId,
            record.createdAtMs,
            record.expiresAtMs,
            record.body.byteLength,
            record.body,
          );
        const insertItem = this.#db.query(
          "insert into response_items (item_id, response_id) values (?, ?) on conflict do nothing",
        );
        for (const itemId of record.itemIds) insertItem.run(itemId, record.id);
      })
      .immediate();
  }

  #makeRoom(accountId: string, bytesLeft: number): void {
    const { kept } = this.#db
      .query("select coalesce(sum(bytes), 0) as kept from responses where account_id = ?")
      .get(accountId) as { kept: number };
    let over = kept - bytesLeft;
    if (over <= 0) return;
    const oldest = this.#db.query(
      "select id, bytes from responses where account_id = ? order by created_at, id limit 1000",
    );
    const forget = this.#db.query("delete from responses where id = ?");
    for (const row of oldest.all(accountId) as { id: string; bytes: number }[]) {
      if (over <= 0) return;
      forget.run(row.id);
      over -= row.bytes;
    }
  }

  find(id: string, reader: Reader, nowMs: number): ResponseRecord | undefined {
    const row = this.#db
      .query(
        `select id, account_id, key_id, parent_id, created_at, expires_at, body from responses
         where id = ? and account_id = ? and expires_at > ?`,
      )
      .get(id, reader.accountId, nowMs) as ResponseRow | null;
    if (!row || (reader.keyId !== undefined && row.key_id !== reader.keyId)) return undefined;
    return this.#record(row);
  }

  chain(id: string, reader: Reader, nowMs: number, reach: ChainReach): ResponseRecord[] {
    const { turnsMax, bytesMax } = reach;
    const chain: ResponseRecord[] = [];
    let bytes = 0;
    let next: string | null = id;
    while (next !== null && chain.length < turnsMax && bytes <= bytesMax) {
      const record = this.find(next, reader, nowMs);
      if (!record) break;
      chain.push(record);
      bytes += record.body.byteLength;
      next = record.parentId;
    }
    return chain.reverse();
  }

  findByItem(itemId: string, reader: Reader, nowMs: number): ResponseRecord | undefined {
    const { accountId, keyId = null } = reader;
    const row = this.#db
      .query(
        `select r.id, account_id, key_id, parent_id, created_at, expires_at, body
         from response_items i join responses r on r.id = i.response_id
         where i.item_id = ? and account_id = ? and (? is null or key_id = ?) and expires_at > ?
         order by created_at desc, r.id desc limit 1`,
      )
      .get(itemId, accountId, keyId, keyId, nowMs) as ResponseRow | null;
    return row ? this.#record(row) : undefined;
  }

  remove(id: string, reader: Reader): boolean {
    const sql = "delete from responses where id = ? and account_id = ?";
    const { keyId } = reader;
    const { changes } =
      keyId === undefined
        ? this.#db.query(sql).run(id, reader.accountId)
        : this.#db.query(`${sql} and key_id = ?`).run(id, reader.accountId, keyId);
    return changes > 0;
  }

  sweep(nowMs: number): number {
    return this.#db.query("delete from responses where expires_at <= ?").run(nowMs).changes;
  }

  #record(row: ResponseRow): ResponseRecord {
    const items = this.#db
      .query("select item_id as id from response_items where response_id = ?")
      .all(row.id) as { id: string }[];
    return readResponse(
      row,
      items.map((item) => item.id),
    );
  }
}
