import type { Config } from "../../config/config.ts";
import { openStore } from "../../store/open.ts";
import { MissingDatabaseError, type Store } from "../../store/store.ts";
import { keptKey } from "../kept-key.ts";
import { runningOrigin } from "../running-origin.ts";
import type { DraftServer, Environment } from "./draft-server.ts";

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
    const origin = await runningOrigin(store.sql);
    if (origin === undefined) return undefined;
    const given = env.FAREGATE_API_KEY;
    const key = given || (await keptKey(store, config));
    return { origin, key, isKept: !given, isHere: true, close: async () => {} };
  } finally {
    await store.close();
  }
}
