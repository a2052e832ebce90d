import type { Reader, ResponseRecord } from "../../conversations/record.ts";
import type { ConversationStore } from "../../conversations/store.ts";
import { type ResponseRow, readResponse } from "../response-rows.ts";
import type { Connections } from "./connections.ts";

interface Row extends ResponseRow {
  readonly items: string | null;
}

const COLUMNS = `r.id, r.account_id, r.key_id, r.parent_id, r.created_at, r.expires_at, r.body,
  (select json_agg(i.item_id) from response_items i where i.response_id = r.id)::text as items`;

/** `$2` to `$4`: account, key or null, now. */
const VISIBLE =
  "r.account_id = $2 and ($3::text is null or r.key_id = $3) and r.expires_at > $4::bigint";

const FIND_SQL = `select ${COLUMNS} from responses r where r.id = $1 and ${VISIBLE}`;

const CHAIN_SQL = `
  with recursive chain (id, parent_id, turn, bytes) as (
    select r.id, r.parent_id, 1, r.bytes::bigint from responses r where r.id = $1 and ${VISIBLE}
    union all
    select r.id, r.parent_id, c.turn + 1, c.bytes + r.bytes
    from chain c join responses r on r.id = c.parent_id
    where c.turn < $5::integer and c.bytes <= $6::bigint and ${VISIBLE}
  )
  select ${COLUMNS} from chain c join responses r on r.id = c.id order by c.turn desc`;

const FIND_BY_ITEM_SQL = `
  select ${COLUMNS} from responses r
  where r.id in (select response_id from response_items where item_id = $1) and ${VISIBLE}
  order by r.created_at desc, r.id desc limit 1`;

const SAVE_SQL = `
  with saved as (
    insert into responses (id, account_id, key_id, parent_id, created_at, expires_at, bytes, body)
    values ($1, $2, $3, $4, $5, $6, $7, $8)
  )
  insert into response_items (item_id, response_id)
  select distinct item, $1 from json_array_elements_text(($9::text)::json) item`;

/** Removes the oldest until what is left of the account is at most `$2` bytes. */
const MAKE_ROOM_SQL = `
  delete from responses where id in (
    select id from (
      select id, sum(bytes) over (order by created_at desc, id desc) as newer
      from responses where account_id = $1
    ) counted where newer > $2::bigint
  )`;

function readRecord(row: Row): ResponseRecord {
  const { buffer, byteOffset, byteLength } = row.body;
  const body = new Uint8Array(buffer, byteOffset, byteLength);
  const itemIds = row.items === null ? [] : (JSON.parse(row.items) as string[]);
  return readResponse({ ...row, body }, itemIds);
}

function visible(reader: Reader, nowMs: number): [string, string | null, number] {
  return [reader.accountId, reader.keyId ?? null, nowMs];
}

/** Stored responses: plain statements, apart from the connection that money uses. */
export function responsesIn({ run, read }: Pick<Connections, "run" | "read">): ConversationStore {
  return {
    async save(record, accountBytesMax) {
      const { id, accountId, keyId, parentId, createdAtMs, expiresAtMs, itemIds, body } = record;
      const bytesLeft = accountBytesMax - body.byteLength;
      const sum =
        "select coalesce(sum(bytes), 0)::bigint as kept from responses where account_id = $1";
      const [row] = await read<{ kept: bigint }>(sum, [accountId]);
      if (Number(row?.kept) > bytesLeft) await run(MAKE_ROOM_SQL, [accountId, bytesLeft]);
      const times = [createdAtMs, expiresAtMs, body.byteLength];
      const items = JSON.stringify(itemIds);
      await run(SAVE_SQL, [id, accountId, keyId, parentId, ...times, body, items]);
    },

    async find(id, reader, nowMs) {
      const [row] = await read<Row>(FIND_SQL, [id, ...visible(reader, nowMs)]);
      return row && readRecord(row);
    },

    async chain(id, reader, nowMs, { turnsMax, bytesMax }) {
      const params = [id, ...visible(reader, nowMs), turnsMax, bytesMax];
      return (await read<Row>(CHAIN_SQL, params)).map(readRecord);
    },

    async findByItem(itemId, reader, nowMs) {
      const params = [itemId, ...visible(reader, nowMs)];
      const [row] = await read<Row>(FIND_BY_ITEM_SQL, params);
      return row && readRecord(row);
    },

    async remove(id, reader) {
      const text = `delete from responses
        where id = $1 and account_id = $2 and ($3::text is null or key_id = $3)`;
      const removed = await run(text, [id, reader.accountId, reader.keyId ?? null]);
      return removed.count > 0;
    },

    async sweep(nowMs) {
      const removed = await run("delete from responses where expires_at <= $1", [nowMs]);
      return removed.count;
    },
  };
}
