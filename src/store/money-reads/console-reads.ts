import type { ConsoleStore } from "../../console/store.ts";
import type { Integer } from "../keys/key-rows.ts";
import { Reads } from "../reads/reads.ts";
import { type MoneyReader, readRows, statement } from "./reader.ts";
import { RequestReads, type SearchLimits } from "./requests.ts";
import { readStatement } from "./statement.ts";
import { usageReads } from "./usage.ts";

interface EndRow {
  readonly kind: "post" | "void";
  readonly amount: string;
  readonly created_at: Integer;
}

/** The condition of the partial index is spelled out, or SQLite would not use it. */
const END_SQL = `select kind, cast(amount as text) as amount, created_at from entries
  where hold_id = $1 and kind in ('post', 'void')`;

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
        statement(END_SQL, receipt.requestId),
        statement("select name from keys where id = $1", receipt.keyId),
      ]);
      const [end] = ends as readonly EndRow[];
      const [key] = names as readonly { name: string }[];
      return {
        receipt,
        keyName: key?.name ?? "",
        end: end
          ? { kind: end.kind, amount: BigInt(end.amount), createdAtMs: Number(end.created_at) }
          : null,
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
