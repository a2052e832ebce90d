import { ConfigError } from "../../config/config.ts";
import { StorageError } from "../../lib/faults.ts";
import type { RoomTables } from "../../lib/sql/sql.ts";
import type { Log } from "../../telemetry/log.ts";
import { TAKE_UNTOLD_SQL, tellOfHardBalances, untoldMarkSql } from "../migrations/hard-balances.ts";
import type { Minding } from "../migrations/migrate.ts";
import {
  APPLIED_TABLE_SQL,
  firstStepOf,
  planUpgrade,
  tellOfUpgrade,
  type Upgrade,
} from "../migrations/upgrade.ts";
import { DatabaseInUseError, MissingDatabaseError, UnfitDatabaseError } from "../store.ts";
import { type Connections, NOW_MS_SQL, sqlState } from "./connections.ts";

/** Any number, as long as no other program locks the same one in this database. */
const MIGRATION_LOCK = 7_340_266_011;

const NO_SUCH_DATABASE = "3D000";
const LOCK_NOT_AVAILABLE = "55P03";
const TOO_MANY_CONNECTIONS = "53300";
const FEWER =
  ". Raise max_connections of PostgreSQL, or lower FAREGATE_DATABASE_CONNECTIONS_MAX of its servers.";

const SERVE_ONCE =
  'Start "faregate serve" once to create them, or point DATABASE_URL at the database that has them.';

/**
 * Whoever wants a table after an upgrade that waits for it waits behind it. So an upgrade waits shortly, lets the
 * others through and tries again.
 */
const WAIT_SHORTLY_SQL = "set local lock_timeout = '250ms'";
const PAUSE_MS = 1_000;
/** Longer than a process that was killed seems to live. */
const UPGRADE_WAIT_MS = 30_000;

const SERVING_SQL = `select 1 from owners where lease_until > ${NOW_MS_SQL} limit 1`;

type RunText = Parameters<Parameters<Connections["script"]>[0]>[0];

/** The tables put triggers in the places of others, which older ones do not know how to. */
const LEAST_SERVER = 14;
const SERVER_SQL = `select cast(current_setting('server_version_num') as integer) as number,
  current_setting('server_version') as name`;

/** Whoever is too old would say no more than where in a text it has stopped to understand. */
export async function expectServer(ask: (text: string) => Promise<readonly unknown[]>) {
  const [server] = (await ask(SERVER_SQL)) as readonly { number: number; name: string }[];
  if (!server || server.number >= LEAST_SERVER * 10_000) return;
  throw new UnfitDatabaseError(
    `It is PostgreSQL ${server.name}, and Faregate needs ${LEAST_SERVER} or newer.`,
  );
}

/** Whoever serves while something is to be taken away is of a version that needs it. */
async function expectNobody(ask: (text: string) => Promise<readonly unknown[]>): Promise<void> {
  if ((await ask(SERVING_SQL)).length === 0) return;
  throw new DatabaseInUseError(
    "A Faregate of an earlier version serves from this database, which could not go on with the tables of this one. " +
      "Stop it first.",
  );
}

/** What an upgrade of the rooms minds here. */
export const MINDING_OTHERS: Minding = {
  first: WAIT_SHORTLY_SQL,
  contracts: (inside) => expectNobody((text) => inside.query(text)),
};

/** Whether it may be better in a moment. */
function mayPass(thrown: unknown): boolean {
  if (thrown instanceof DatabaseInUseError) return true;
  const cause = thrown instanceof StorageError ? thrown.cause : thrown;
  return sqlState(cause) === LOCK_NOT_AVAILABLE;
}

/** Upgrades as soon as nobody is in the way, and without being in the way of those who serve. */
export async function amongOthers<T>(
  upgrade: () => Promise<T>,
  waitMs = UPGRADE_WAIT_MS,
): Promise<T> {
  const giveUpAtMs = performance.now() + waitMs;
  for (;;) {
    try {
      return await upgrade();
    } catch (thrown) {
      if (!mayPass(thrown) || performance.now() > giveUpAtMs) throw thrown;
    }
    await Bun.sleep(PAUSE_MS);
  }
}

/** What the database says of its tables: the least version of a program stands where the version once stood. */
async function foundBy(run: RunText, create: boolean, room: string) {
  const [found] = (await run("select to_regclass('schema_version') as name")) as unknown as [
    { name: string | null },
  ];
  if (found.name === null) {
    if (!create) throw missing("There are no tables of Faregate in it.");
    await run("create table schema_version (version integer not null)");
    await run("insert into schema_version values (0)");
  }
  await run(APPLIED_TABLE_SQL);
  const [{ version }] = (await run("select version from schema_version")) as unknown as [
    { version: number },
  ];
  const rows = (await run(
    `select checksum from applied_versions where room = '${room}' order by version`,
  )) as readonly { checksum: string }[];
  return { least: version, checksums: rows.map(({ checksum }) => checksum) };
}

async function upgradeBy(run: RunText, room: string, upgrade: Upgrade): Promise<void> {
  await run(WAIT_SHORTLY_SQL);
  if (upgrade.contracts) await expectNobody(run);
  for (const text of upgrade.texts) await run(text);
  const rows = upgrade.applied.map(
    ({ version, checksum }) => `('${room}', ${version}, '${checksum}')`,
  );
  await run(`insert into applied_versions (room, version, checksum) values ${rows.join(", ")}`);
  await run(`update schema_version set version = ${upgrade.least}`);
  const mark = untoldMarkSql(upgrade);
  if (mark !== undefined) await run(mark);
}

/**
 * Brings the tables to the newest version, once, however many processes start together. What others go on beside is
 * done version by version: the table that one has changed is theirs again while the next one is long at work. `log` is
 * that of a server.
 */
export function migrate(
  connections: Connections,
  create: boolean,
  tables: RoomTables,
  waitMs?: number,
  log?: Pick<Log, "info" | "warn">,
): Promise<void> {
  let untold: readonly unknown[] = [];
  /** New tables are made version by version too, and are empty. */
  let isNew: boolean | undefined;
  /** Whether more is to be done. */
  const upgradeOnce = () =>
    connections.script(async (run) => {
      // Held until the transaction ends, so nobody else looks while the tables are worked on.
      await run(`select pg_advisory_xact_lock(${MIGRATION_LOCK})`);
      const upgrade = planUpgrade(tables, await foundBy(run, create, tables.room));
      const step = firstStepOf(upgrade, tables);
      isNew ??= upgrade.texts.length === tables.versions.length;
      if (!isNew) tellOfUpgrade(log, tables, upgrade);
      if (step.applied.length > 0) {
        await expectServer(run);
        await upgradeBy(run, tables.room, step);
      }
      const isWhole = step.texts.length === upgrade.texts.length;
      if (isWhole && log) untold = await run(TAKE_UNTOLD_SQL);
      return !isWhole;
    });
  return opening(async () => {
    while (await amongOthers(upgradeOnce, waitMs));
    tellOfHardBalances(log, untold);
  });
}

/** What is done before anybody is served: what goes wrong says that it is about the settings. */
export async function opening<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (thrown instanceof MissingDatabaseError || thrown instanceof ConfigError) throw thrown;
    const state = sqlState(thrown);
    if (state === NO_SUCH_DATABASE) throw missing("It does not exist.");
    // The address itself stays out of the message: it holds a password.
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    const fix = state === TOO_MANY_CONNECTIONS ? FEWER : "";
    const message = `The database of DATABASE_URL cannot be opened: ${reason}${fix}`;
    if (thrown instanceof UnfitDatabaseError) throw new UnfitDatabaseError(message);
    if (thrown instanceof DatabaseInUseError) throw new DatabaseInUseError(message);
    throw new StorageError(message, { cause: thrown });
  }
}

function missing(what: string): MissingDatabaseError {
  return new MissingDatabaseError(`The database of DATABASE_URL is empty. ${what} ${SERVE_ONCE}`);
}
