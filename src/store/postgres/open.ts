import type { AccountsStore } from "../../accounts/store.ts";
import type { Verification } from "../../ledger/books.ts";
import type { LedgerStore, Recovery } from "../../ledger/store.ts";
import { systemClock } from "../../lib/clock.ts";
import { newId } from "../../lib/ids.ts";
import { migrateRooms } from "../migrations/migrate.ts";
import { interruption } from "../money/interrupted.ts";
import { MoneyQueue } from "../money/money-queue.ts";
import { Unsettled } from "../money/unsettled.ts";
import { type Difference, verifyBooks } from "../money/verification.ts";
import { type Query, Reads } from "../reads/reads.ts";
import type { OpenOptions, Store } from "../store.ts";
import { accountChanges, type Change, changing, creditChanges } from "./accounts-writer.ts";
import { MoneyWriter } from "./batches/money-writer.ts";
import { bodiesIn } from "./bodies.ts";
import { type Connections, NOW_MS_SQL, sqlState } from "./connections.ts";
import { ConsoleSql } from "./console-sql.ts";
import { keptAnswersIn } from "./kept-answers.ts";
import { KeyLookups } from "./key-lookups.ts";
import { findOrphans, LEASE_MS, Lease, othersServe } from "./leases/lease.ts";
import { amongOthers, MINDING_OTHERS, migrate, opening } from "./migrate.ts";
import { openConnections } from "./pooling/connection-slots.ts";
import type { ReplyTimeout } from "./pooling/reply-timeout.ts";
import { responsesIn } from "./responses.ts";
import { TABLES } from "./schema.ts";
import { proveSettling } from "./settling-proof.ts";

/** Lines of a receipt as they are written: what stands there otherwise would end the statement that adds them up. */
const LINE = String.raw`\["[a-z_]+",[0-9]{1,16},"-?[0-9]{1,40}"\]`;

const LINES_SQL = String.raw`
  select id as subject, cast(cost as text) as kept, cast(summed as text) as summed from (
    select r.id, r.cost, case when r.lines ~ '^\[(${LINE}(,${LINE})*)?\]$' then
      (select div(coalesce(sum((line->>1)::numeric * (line->>2)::numeric), 0) + 999, 1000)
        from json_array_elements(r.lines::json) line) end as summed
    from receipts r
  ) added where cost is distinct from summed`;

/** Data that a statement cannot take, of the error classes of PostgreSQL. */
const DATA_EXCEPTION = "22";

/** All sums of the books, by the statements of one transaction. */
export function verifyTables(query: Query): Promise<Verification> {
  return verifyBooks({
    query,
    wrongLines: async () => (await query(LINES_SQL, [])) as readonly Difference[],
    isOfRows: (thrown) => sqlState(thrown)?.startsWith(DATA_EXCEPTION) ?? false,
  });
}

function accountsOf(
  connections: Connections,
  change: Change,
  reads: Reads,
  replyTimeout: ReplyTimeout,
): AccountsStore {
  const lookups = new KeyLookups(connections.read, replyTimeout);
  return {
    ...accountChanges(change),
    findKey: (hash) => lookups.find(hash),
    findAccount: (id) => reads.findAccount(id),
    operatorAccount: () => reads.operatorAccount(),
    isUnused: (...args) => reads.isUnused(...args),
    listAccounts: () => reads.listAccounts(),
    listKeys: (accountId) => reads.listKeys(accountId),
    describeKey: (id) => reads.describeKey(id),
  };
}

/** What a process writes money with, and its lease where it serves. */
interface Serving {
  readonly connections: Connections;
  readonly writer: MoneyWriter;
  readonly queue: MoneyQueue;
  readonly owner: string;
  readonly lease: Lease | undefined;
}

function ledgerOf(serving: Serving, change: Change, reads: Reads): LedgerStore {
  const { connections, queue } = serving;
  return {
    ...creditChanges(change),
    settle: (settlement) => queue.settle(settlement),
    withdraw: (requestId) => queue.withdraw(requestId),
    // A word that outlives this process would have to go to the server that does not answer.
    deny: () => {},
    refuse: (receipt, count) => queue.refuse(receipt, count),
    accountOfEntry: (id) => reads.accountOfEntry(id),
    balance: (accountId) => reads.balance(accountId),
    spending: (keyId) => reads.spending(keyId),
    findReceipt: (id, accountId, keyId) => reads.findReceipt(id, accountId, keyId),
    usage: (query) => reads.usage(query),
    recover: () => recover(serving),
    // In one snapshot, or a settlement between two sums would look like a hole.
    verify: () =>
      connections.transaction(
        (run) => verifyTables((sql, params) => run(sql, params)),
        "isolation level repeatable read read only",
      ),
  };
}

/** How many holds were voided, by the instance that left them. */
type Counts = Map<string, number>;

async function recover(serving: Serving): Promise<Recovery[]> {
  // The next batch would do it too, but one that is no longer asked for anything has none.
  await serving.writer.settleDoubts();
  const counts: Counts = new Map();
  try {
    while (await voidSome(serving, counts));
  } catch (thrown) {
    // What has been voided is told of; what could not be is found again by whoever looks next.
    if (counts.size === 0) throw thrown;
  }
  return [...counts].map(([instance, holds]) => ({ instance, holds }));
}

/** Whether there may be more. */
async function voidSome({ connections, queue, owner, lease }: Serving, counts: Counts) {
  const orphans = await findOrphans(connections.run, owner, await lease?.judge());
  const ended = orphans.map(async (hold) => {
    const { instance } = hold;
    const end = await queue.submit(interruption(hold, systemClock()));
    // Another process may be recovering the same holds: each is counted where it was voided.
    if (end === "done") counts.set(instance, (counts.get(instance) ?? 0) + 1);
  });
  const failed = (await Promise.allSettled(ended)).find((end) => end.status === "rejected");
  if (failed) throw failed.reason;
  return orphans.length > 0;
}

/** For whoever does not say how many; the settings do. */
const CONNECTIONS = 8;

/** How long others are waited for. */
interface Waits {
  /** All of a batch for rows that somebody else has locked, before each of its accounts is tried by itself. */
  readonly lock_wait_ms: number;
  /** What is asked of an account that is locked. */
  readonly locked_account_ms: number;
  /** A request for an answer of storage. Where that does not come, its connection may be at fault. */
  readonly admission_storage_ms: number;
  /** The same of what the console asks. */
  readonly console_storage_ms: number;
  /** After so long without a word of it, an instance is dead to the others. */
  readonly instance_lease_ms: number;
}

/** For whoever does not say; the settings do. */
export const WAITS: Waits = {
  lock_wait_ms: 500,
  locked_account_ms: 3_500,
  admission_storage_ms: 5_000,
  console_storage_ms: 15_000,
  instance_lease_ms: LEASE_MS,
};

/** A database that any number of processes share. */
export async function openPostgres(
  url: string,
  options: OpenOptions,
  connectionsMax = CONNECTIONS,
  waits = WAITS,
): Promise<Store> {
  const { lock_wait_ms: lockMs, locked_account_ms: lockedMs, instance_lease_ms: leaseMs } = waits;
  const connections = await opening(() => openConnections(url, connectionsMax, lockMs, options));
  // They may be closed already, with the store.
  const giveUp = () => void connections.renewOthers().catch(() => {});
  const sql = new ConsoleSql(connections, { ms: waits.console_storage_ms, giveUp });
  const owner = newId("own_");
  let lease: Lease | undefined;
  try {
    const { rooms, serve, log } = options;
    await migrate(connections, options.create, TABLES, undefined, serve ? log : undefined);
    if (rooms) await amongOthers(() => migrateRooms(sql, rooms, MINDING_OTHERS));
    await options.beforeServing?.(sql);
    if (options.serve) lease = await Lease.take({ run: connections.run, owner, leaseMs });
  } catch (thrown) {
    await connections.close();
    throw thrown;
  }
  const writer = new MoneyWriter(connections, owner, lockedMs);
  const unsettled = new Unsettled();
  const queue = new MoneyQueue(
    unsettled.follow((batch) => writer.write(batch)),
    (requestId, reason) => writer.withdraw(requestId, reason),
  );
  const change = changing(connections, lockedMs);
  const reads = new Reads((sql, params) => connections.read(sql, params), NOW_MS_SQL);

  return {
    accounts: accountsOf(connections, change, reads, { ms: waits.admission_storage_ms, giveUp }),
    admission: queue,
    ledger: ledgerOf({ connections, writer, queue, owner, lease }, change, reads),
    conversations: responsesIn(connections),
    keptAnswers: keptAnswersIn(connections, owner),
    bodies: bodiesIn(connections),
    sql,
    othersServe: () => othersServe(connections.run, owner),
    unsettled: () => unsettled.list(),
    // A connection that is lost is made again at the next statement, so nothing is final.
    failed: new Promise(() => {}),
    ping: () => proveSettling(connections, owner),
    renew: () => connections.renew(),
    async close() {
      await queue.close();
      await writer.settled();
      try {
        await lease?.release();
      } catch {
        // The database is away; the lease runs out by itself.
      }
      await connections.close();
    },
  };
}
