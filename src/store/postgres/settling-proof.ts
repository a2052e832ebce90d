import { steadyClock } from "../../lib/clock.ts";
import { StorageError } from "../../lib/faults.ts";
import { WRITTEN_TABLES } from "./batches/write-batch.ts";
import { type Connections, isLockTimeout } from "./connections.ts";

/** A table may be locked for so long before nothing can be settled. */
const LOCKED_MS = 1_000;
/** The pause between two tries within that time. */
const PAUSE_MS = 250;

/**
 * Takes the locks that a settlement takes, and gives them back before anything is written. It never stands in line for one:
 * it would keep the connection of money, and with it everybody who does not need the table that is locked.
 */
const LOCKS = {
  text: `savepoint settling;
    lock table ${WRITTEN_TABLES.join(", ")} in row exclusive mode nowait;
    rollback to savepoint settling`,
  params: [],
};

/**
 * Writes this process's own row, which nobody else locks, and changes nothing in it. One that does not serve has none, or
 * one that counts as let go of.
 */
const PROOF_SQL = `
  insert into owners (id, lease_until) values ($1, 0)
  on conflict (id) do update set lease_until = owners.lease_until`;

/**
 * Goes the way of a settlement on the connection of money: its locks, then a write that is committed down to the disk. Throws
 * where that cannot be done, or somebody else keeps a table locked.
 */
export async function proveSettling(connections: Connections, owner: string): Promise<void> {
  const lastTryMs = steadyClock() + LOCKED_MS - PAUSE_MS;
  for (;;) {
    try {
      await connections.moneyTransaction([LOCKS], () => ({ text: PROOF_SQL, params: [owner] }));
      return;
    } catch (thrown) {
      if (!isLockTimeout(thrown) || steadyClock() >= lastTryMs) throw StorageError.from(thrown);
    }
    await Bun.sleep(PAUSE_MS);
  }
}
