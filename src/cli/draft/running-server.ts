import type { Config } from "../../config/config.ts";
import { DIRECT } from "../../lib/net/direct.ts";
import { openStore } from "../../store/open.ts";
import { ServingRow } from "../../store/serving-row.ts";
import { MissingDatabaseError, type Store } from "../../store/store.ts";
import { keptKey } from "../kept-key.ts";
import type { DraftServer, Environment } from "./draft-server.ts";

const HEALTH_MS = 2_000;

async function isHealthy(origin: string): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(HEALTH_MS);
    const answer = await fetch(`${origin}/healthz`, { ...DIRECT, signal, redirect: "manual" });
    return ((await answer.json()) as { status?: string }).status === "ok";
  } catch {
    return false;
  }
}

/** The server that runs beside this command, where one does. */
export async function runningServer(
  config: Config,
  env: Environment,
): Promise<DraftServer | undefined> {
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
    return { origin, key, isKept: !given, isHere: true, close: async () => {} };
  } finally {
    await store.close();
  }
}
