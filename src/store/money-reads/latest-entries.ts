import type { LedgerEntry, PaymentLedger } from "../../payments/store.ts";
import type { Integer } from "../keys/key-rows.ts";
import { type MoneyReader, statement } from "./reader.ts";

/**
 * What is not the end of a request, with the condition of the index in it, to the letter. By sequence and not by time: a
 * clock may have been set back. The sum keeps the planner from going back through the ends of everybody's requests
 * in that order; few entries of an account are none, so those are looked through.
 */
const ENTRIES_SQL = `select seq, ref, kind, cast(amount as text) as amount from entries
  where account_id = $1 and kind <> 'post' and kind <> 'void' and kind <> 'correction' and seq + 0 < $2
  order by seq + 0 desc limit $3`;

const CREDITED_SQL =
  "select cast(max as text) as credited from scopes where id = $1 and kind = 'balance'";

interface EntryRow {
  readonly seq: Integer;
  readonly ref: string | null;
  readonly kind: LedgerEntry["kind"];
  readonly amount: string;
}

/** The credits and debits of accounts, and what they come to at the same moment. */
export function latestEntries(reader: MoneyReader): PaymentLedger["latestEntries"] {
  return async (accountId, limit, seq = Number.MAX_SAFE_INTEGER) => {
    const [sums = [], rows = []] = await reader.read([
      statement(CREDITED_SQL, accountId),
      statement(ENTRIES_SQL, accountId, seq, limit),
    ]);
    const [sum] = sums as readonly { credited: string }[];
    const entries = (rows as readonly EntryRow[]).map((row) => ({
      seq: Number(row.seq),
      id: row.ref ?? "",
      kind: row.kind,
      amount: BigInt(row.amount),
    }));
    return { credited: BigInt(sum?.credited ?? 0), entries };
  };
}
