import type { RoomTables } from "../../lib/sql/sql.ts";
import type { Log } from "../../telemetry/log.ts";
import type { Upgrade } from "./upgrade.ts";

/** The version from which on balances are hard. `integer` is the type that has 64 bits on the database. */
export function overdrafts(integer: "integer" | "bigint"): string {
  return `
  -- How far the balance of an account may go below zero.
  alter table accounts add column overdraft ${integer} not null default 0;
  `;
}

const SENTENCE =
  "Balances are hard now, those of all accounts: no request takes one below zero, but by the overdraft that an " +
  "operator sets (faregate account set ID --overdraft 5.00).";

/** Tells whoever served by tables of before that requests may be refused now that were let in then. */
export function tellOfHardBalances(
  log: Pick<Log, "warn"> | undefined,
  { versions }: Pick<RoomTables, "versions">,
  { texts }: Pick<Upgrade, "texts">,
): void {
  const isNew = texts.length === versions.length;
  const isDone = texts.some(
    (text) => text === overdrafts("integer") || text === overdrafts("bigint"),
  );
  if (isDone && !isNew) log?.warn("balances_are_hard", { message: SENTENCE });
}
