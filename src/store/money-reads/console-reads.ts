import type { ConsoleStore, RequestEnd } from "../../console/store.ts";
import type { Integer } from "../keys/key-rows.ts";
import { Reads } from "../reads/reads.ts";
import { type MoneyReader, readRows, statement } from "./reader.ts";
import { RequestReads, type SearchLimits } from "./requests.ts";
import { readStatement } from "./statement.ts";
import { usageReads } from "./usage.ts";

interface EndRow {
  readonly kind: RequestEnd["kind"];
  readonly amount: string;
  readonly created_at: Integer;
}

/** The conditions of the partial indexes are spelled out, or SQLite would not use them. */
const ENDS_SQL = `select kind, cast(amount as text) as amount, created_at, seq from entries
    where hold_id = $1 and kind in ('post', 'void')
  union all
  select kind, cast(amount as text) as amount, created_at, seq from entries
    where hold_id = $1 and kind = 'correction'
  order by seq`;

/** What the console reads of the money database, by the same texts on both engines. */
export function consoleReads(reader: MoneyReader, limits?: SearchLimits): ConsoleStore {
  const requests = new RequestReads(reader, limits);
  const reads = new Reads((text, params) => readRows(reader, { text, params }), reader.nowMsSql);
  return {
    ...usageReads(reader),
    listRequests: (query) => requests.list(query),
    requestsSince: (...args) => requests.since(...args),
    requestsById: (...args) => requests.byId(...args),

    async findRequest(accountId, id) {
      const receipt = await reads.findReceipt(id, accountId);
      if (!receipt) return undefined;
      const [ends = [], names = []] = await reader.read([
        statement(ENDS_SQL, receipt.requestId),
        statement("select name from keys where id = $1", receipt.keyId),
      ]);
      const [key] = names as readonly { name: string }[];
      return {
        receipt,
        keyName: key?.name ?? "",
        ends: (ends as readonly EndRow[]).map(({ kind, amount, created_at }) => ({
          kind,
          amount: BigInt(amount),
          createdAtMs: Number(created_at),
        })),
      };
    },

    statement: (query) => readStatement(reader, query),
    listKeys: (accountId) => reads.listKeys(accountId),
    async findKey(accountId, id) {
      const key = await reads.describeKey(id);
      return key?.accountId === accountId ? key : undefined;
    },
  };
}
