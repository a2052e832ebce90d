import type { Config } from "../../config/config.ts";
import { ServingRow } from "../../drafts/tables/serving.ts";
import { openStore } from "../../store/open.ts";
import { MissingDatabaseError, type Store } from "../../store/store.ts";
import { keptKey } from "../kept-key.ts";
import { mistake, mistakeOf } from "../terminal/arguments.ts";

const HEALTH_MS = 2_000;

/** A server to talk to, and who talks. */
export interface DraftServer {
  readonly origin: string;
  readonly key: string;
  /** Whether the key is the one that the installation keeps for commands. */
  readonly isKept: boolean;
  close(): Promise<void>;
}

export type Environment = Readonly<Record<string, string | undefined>>;

async function isHealthy(origin: string): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(HEALTH_MS);
    const answer = await fetch(`${origin}/healthz`, { signal, redirect: "manual" });
    return ((await answer.json()) as { status?: string }).status === "ok";
  } catch {
    return false;
  }
}

/** Somewhere else, as the environment says. */
function namedServer(address: string, env: Environment): DraftServer {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw mistake("notServerUrl");
  }
  const key = env.FAREGATE_API_KEY;
  if (!key) throw mistakeOf("missing_api_key", "serverKeyMissing");
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

/** The server that is named, or runs here, or is started for this command alone. */
export async function findServer(config: Config, env: Environment): Promise<DraftServer> {
  if (env.FAREGATE_URL) return namedServer(env.FAREGATE_URL, env);
  const running = await runningServer(config, env);
  if (running) return running;
  // A whole gateway, which a command beside one need not wait for.
  return (await import("./own-server.ts")).ownServer(config, env);
}
