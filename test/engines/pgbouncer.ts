// PgBouncer in front of a PostgreSQL. It comes from the system, not from npm.
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SQL } from "bun";
import { freePort } from "../support/free-port.ts";
import type { Parts } from "../support/houses/house.ts";
import { systemTool } from "../support/tools.ts";
import { eventually } from "../support/waiting.ts";

interface PgBouncerOptions {
  readonly mode: "transaction" | "session";
  /** Connections to the database, which all clients share. */
  readonly poolSize: number;
  /** Lines of its settings. */
  readonly settings?: readonly string[];
}

/** Undefined where it is not there. */
export const PGBOUNCER = systemTool("pgbouncer", "pgbouncer");

/** It refuses to run as root, so root hands it to the user that owns nothing. */
const NOBODY = 65534;
const identity = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

/** Ends it when standard input ends, which it does however the test process dies. */
const WATCHDOG =
  '"$1" "$2" </dev/null 2>"$2.log" & bouncer=$!; cat >/dev/null; kill -INT $bouncer; wait';

/** Resolves with the address at which the database of `url` is found through it. */
export async function startPgBouncer(
  parts: Parts,
  url: string,
  { mode, poolSize, settings = [] }: PgBouncerOptions,
): Promise<string> {
  if (PGBOUNCER === undefined) throw new Error("PgBouncer is not on this machine");
  const { hostname, port, username, password } = new URL(url);
  const own = await freePort();
  const folder = parts.folder();
  chmodSync(folder, 0o777);
  const file = join(folder, "pgbouncer.ini");
  const lines = [
    "[databases]",
    `* = host=${hostname} port=${port} user=${username} password=${password}`,
    "[pgbouncer]",
    ...["listen_addr = 127.0.0.1", `listen_port = ${own}`, "unix_socket_dir =", "auth_type = any"],
    ...[`pool_mode = ${mode}`, `default_pool_size = ${poolSize}`, ...settings],
  ];
  writeFileSync(file, `${lines.join("\n")}\n`);
  const child = Bun.spawn(["/bin/sh", "-c", WATCHDOG, "watchdog", PGBOUNCER, file], {
    ...identity,
    stdio: ["pipe", "ignore", "ignore"],
  });
  parts.defer(async () => {
    await child.stdin.end();
    await child.exited;
  });
  const through = Object.assign(new URL(url), { port: String(own) }).href;
  await eventually("PgBouncer takes connections", async () => {
    const sql = new SQL(through, { max: 1, prepare: false });
    try {
      return (await sql.unsafe("select 1 as one")).length === 1;
    } catch {
      return false;
    } finally {
      await sql.close({ timeout: 0 });
    }
  });
  return through;
}
