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

/** A row of `applied_versions` under this name waits for a server that tells its operator. */
const UNTOLD = "hard balances, not told";

/** Sets the mark where there are accounts. */
export const MARK_SQL = `insert into applied_versions (room, version, checksum)
  select '${UNTOLD}', 1, '' where exists (select 1 from accounts) on conflict do nothing`;

/**
 * A statement that the transaction of an upgrade runs last. Any process may upgrade the tables, and only a server has a
 * log that operators read. Undefined where the upgrade does not make balances hard.
 */
export function untoldMarkSql({ texts }: Pick<Upgrade, "texts">): string | undefined {
  const isMade = texts.some(
    (text) => text === overdrafts("integer") || text === overdrafts("bigint"),
  );
  return isMade ? MARK_SQL : undefined;
}

export const FIND_UNTOLD_SQL = `select room from applied_versions where room = '${UNTOLD}'`;

/** Takes the mark away and returns it, so that one server tells, once. */
export const TAKE_UNTOLD_SQL = `delete from applied_versions where room = '${UNTOLD}' returning room`;

/** Tells that requests may be refused now that were let in before. */
export function tellOfHardBalances(
  log: Pick<Log, "warn"> | undefined,
  taken: readonly unknown[],
): void {
  if (taken.length > 0) log?.warn("balances_are_hard", { message: SENTENCE });
}
