import type { Log } from "../../../telemetry/log.ts";
import type { OpenOptions } from "../../store.ts";
import { Connections } from "../connections.ts";

/** With fewer a transaction of the console could wait for a connection that it has itself. */
const OTHERS_MIN = 2;

/**
 * How many more connections the server would take of this user in this database. What is kept for its
 * superusers is not counted: they need it when there is none left.
 */
const FREE_SQL = `
  select least(
    current_setting('max_connections')::int
      - current_setting('superuser_reserved_connections')::int
      - coalesce(current_setting('reserved_connections', true), '0')::int
      - (select count(*) from pg_stat_activity where datid is not null),
    (select case when datconnlimit >= 0 then datconnlimit - (
      select count(*) from pg_stat_activity where datname = current_database()
    ) end from pg_database where datname = current_database()),
    (select case when rolconnlimit >= 0 then rolconnlimit - (
      select count(*) from pg_stat_activity where usename = current_user
    ) end from pg_roles where rolname = current_user)
  )::int as free`;

async function askFree(asking: Connections): Promise<number> {
  let free = 0;
  await asking.script(async (run) => {
    const [row] = (await run(FREE_SQL)) as unknown as [{ free: number }];
    ({ free } = row);
  });
  return free;
}

/** As many as are set beside the one for money, or what is free; then it says so. */
async function placesFor(
  asking: Connections,
  wanted: number,
  log: Pick<Log, "warn">,
): Promise<number> {
  // Whoever asks has two itself, which it gives back: one of them is for money.
  const free = (await askFree(asking)) + 1;
  if (free >= wanted) return wanted;
  const taken = Math.max(OTHERS_MIN, free);
  log.warn("connections_short", {
    ...{ wanted, free, taken },
    fix: "raise max_connections of PostgreSQL, or lower FAREGATE_DATABASE_CONNECTIONS_MAX of its servers",
  });
  return taken;
}

/** Known to keep their sessions; whoever serves has the one for money from the beginning on. */
async function begun(connections: Connections, serve: boolean): Promise<Connections> {
  try {
    await connections.mustKeepSessions();
    if (serve) await connections.openMoney();
    return connections;
  } catch (thrown) {
    await connections.close();
    throw thrown;
  }
}

/**
 * The connections of a process, no more than there is room for: one that took the last ones for its pages would
 * have none to settle with once the database comes back from a restart.
 */
export async function openConnections(
  url: string,
  wanted: number,
  lockWaitMs: number,
  { serve, log }: Pick<OpenOptions, "serve" | "log">,
): Promise<Connections> {
  const open = (others: number) => begun(new Connections(url, others, lockWaitMs), serve);
  // Commands come and go, and have nobody to tell. They ask one thing after another, but the first opens all that
  // they may have.
  if (!log) return open(serve ? wanted : Math.min(wanted, OTHERS_MIN));
  const asking = await begun(new Connections(url, 1, lockWaitMs), true);
  try {
    return await open(await placesFor(asking, wanted, log));
  } finally {
    await asking.close();
  }
}
