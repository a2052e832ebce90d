import { startGate } from "../compose/gate-server.ts";
import { bringTables } from "../compose/processes/office-process.ts";
import type { Config } from "../config/config.ts";
import { roomsAreCurrent } from "../store/migrations/room-versions.ts";
import { openEngine } from "../store/open-engine.ts";
import type { Store } from "../store/store.ts";
import { greet } from "./greeting.ts";
import { endWithLauncher, listening, untilStopped } from "./serving.ts";

/** Opens the database as a gate does, which knows nothing of the rooms behind it. */
async function openGateStore(config: Config): Promise<Store> {
  const store = await openEngine(config, { create: true, serve: true });
  try {
    if (!(await roomsAreCurrent(store.sql))) await bringTables();
    return store;
  } catch (thrown) {
    await store.close();
    throw thrown;
  }
}

/** Serves until it is told to stop; resolves with the exit code. */
export async function serve(config: Config): Promise<number> {
  endWithLauncher();
  const store = await openGateStore(config);
  const app = await listening(config, store, (log) => startGate(config, store, log));
  const stopped = untilStopped(app, store);
  process.stdout.write(await greet(config, store, app));
  return stopped;
}
