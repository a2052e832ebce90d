import { Accounts } from "../accounts/accounts.ts";
import { startApp } from "../compose.ts";
import { openKeptKeys } from "../compose-drafts.ts";
import type { Config } from "../config.ts";
import { systemClock } from "../lib/clock.ts";
import { openVault } from "../lib/vault.ts";
import { ServingRow } from "../store/console/draft-doors.ts";
import { openStore } from "../store/open.ts";
import { MissingDatabaseError, type Store } from "../store/store.ts";
import { createLog } from "../telemetry/log.ts";
import { UsageError } from "./arguments.ts";
import { firstRun } from "./first-run.ts";

/** The key that commands use where none is given. */
export const COMMAND_KEY = "command line";
const HEALTH_MS = 2_000;

/** A server to talk to, and who talks. */
export interface DraftServer {
  readonly origin: string;
  readonly key: string;
  /** Whether the key is the one that the installation keeps for commands. */
  readonly isKept: boolean;
  close(): Promise<void>;
}

type Environment = Readonly<Record<string, string | undefined>>;

async function isHealthy(origin: string): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(HEALTH_MS);
    const answer = await fetch(`${origin}/healthz`, { signal, redirect: "manual" });
    return ((await answer.json()) as { status?: string }).status === "ok";
  } catch {
    return false;
  }
}

function accountsOf(store: Store, config: Config): Accounts {
  return new Accounts(store.accounts, systemClock, config.limits.key_requests_per_minute);
}

async function keptKey(store: Store, config: Config): Promise<string> {
  const operator = await store.accounts.operatorAccount();
  if (!operator) {
    throw new UsageError('there is no operator account; start "faregate serve" once to make it');
  }
  const vault = openVault(config.secret, config.dataDir);
  return openKeptKeys(store, accountsOf(store, config), vault).secretOf(operator.id, COMMAND_KEY);
}

/** Somewhere else, as the environment says. */
function namedServer(address: string, env: Environment): DraftServer {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new UsageError("FAREGATE_URL is not an address; write it as https://…");
  }
  const key = env.FAREGATE_API_KEY;
  if (!key) throw new UsageError("with FAREGATE_URL, set FAREGATE_API_KEY to a key of that server");
  const origin = url.href.replace(/\/+$/, "").replace(/\/v1$/, "");
  return { origin, key, isKept: false, close: async () => {} };
}

/** The server that runs beside this command, where one does. */
async function runningServer(config: Config, env: Environment): Promise<DraftServer | undefined> {
  let store: Store;
  try {
    store = await openStore(config, { create: false, serve: false });
  } catch (thrown) {
    if (thrown instanceof MissingDatabaseError) return undefined;
    throw thrown;
  }
  try {
    const origin = await new ServingRow(store.sql).find();
    if (origin === undefined || !(await isHealthy(origin))) return undefined;
    const given = env.FAREGATE_API_KEY;
    const key = given || (await keptKey(store, config));
    return { origin, key, isKept: !given, close: async () => {} };
  } finally {
    await store.close();
  }
}

/** One of our own, for as long as the command runs. */
async function ownServer(config: Config, env: Environment): Promise<DraftServer> {
  const store = await openStore(config, { create: true, serve: true });
  const local = { ...config, host: "127.0.0.1", port: 0 };
  const app = await startApp(local, store, createLog("error")).catch(async (thrown: unknown) => {
    await store.close();
    throw thrown;
  });
  try {
    const first = await firstRun(store, accountsOf(store, config), systemClock);
    if (first) {
      process.stderr.write(
        `A new installation was made in ${config.databaseUrl ? "the database" : config.dataDir}, ` +
          `with ${first.credit} USD of trial credit.\nIts first API key, shown only now: ${first.key}\n` +
          '"faregate serve" serves it; "faregate operator link" leads into its console.\n\n',
      );
    }
    const given = env.FAREGATE_API_KEY;
    const key = given || (await keptKey(store, config));
    const origin = `http://127.0.0.1:${app.port}`;
    return { origin, key, isKept: !given, close: () => app.stop() };
  } catch (thrown) {
    await app.stop();
    throw thrown;
  }
}

/** The server that is named, or runs here, or is started for this command alone. */
export async function findServer(config: Config, env: Environment): Promise<DraftServer> {
  if (env.FAREGATE_URL) return namedServer(env.FAREGATE_URL, env);
  return (await runningServer(config, env)) ?? ownServer(config, env);
}
