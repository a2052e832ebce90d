import { startApp } from "../../compose/app.ts";
import { checkedVault } from "../../compose/check-secret.ts";
import type { Config } from "../../config/config.ts";
import type { ConsoleSource } from "../../http/files/console-files.ts";
import { systemClock } from "../../lib/clock.ts";
import { openStore } from "../../store/open.ts";
import { createLog } from "../../telemetry/log.ts";
import { accountsOf } from "../accounts-of.ts";
import { firstRun } from "../first-run.ts";
import { keptKey } from "../kept-key.ts";
import { say } from "../words/language.ts";
import type { DraftServer, Environment } from "./draft-server.ts";

/** Nobody visits it, and to read them, or even to build them, would take longer than the command. */
const NO_PAGES: ConsoleSource = { tree: async () => new Map() };

/** One of our own, for as long as the command runs. */
export async function ownServer(config: Config, env: Environment): Promise<DraftServer> {
  const store = await openStore(config, { create: true, serve: true });
  const local = { ...config, host: "127.0.0.1", port: 0 };
  const starting = checkedVault(store, config).then(() =>
    startApp(local, store, createLog("error"), { pages: NO_PAGES }),
  );
  const app = await starting.catch(async (thrown: unknown) => {
    await store.close();
    throw thrown;
  });
  try {
    const first = await firstRun(store, accountsOf(store, config), systemClock);
    if (first) {
      process.stderr.write(
        `${say("installed", {
          place: config.databaseUrl ? say("theDatabase") : config.dataDir,
          credit: first.credit,
          key: first.key,
        })}\n\n`,
      );
    }
    const given = env.FAREGATE_API_KEY;
    const key = given || (await keptKey(store, config));
    const origin = `http://127.0.0.1:${app.port}`;
    return { origin, key, isKept: !given, isHere: true, close: () => app.stop() };
  } catch (thrown) {
    await app.stop();
    throw thrown;
  }
}
