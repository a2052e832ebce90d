import { greet } from "../src/cli/serving/greeting.ts";
import { endWithLauncher, listening } from "../src/cli/serving/serving.ts";
import { untilStopped } from "../src/cli/serving/stopping.ts";
import { startApp } from "../src/compose/app.ts";
import type { Config } from "../src/config/config.ts";
import type { ConsoleSource } from "../src/http/files/console-files.ts";
import { openStore } from "../src/store/open.ts";
import { createLog } from "../src/telemetry/log.ts";

/** Serves gate and office in one process, with other pages than the built ones; resolves with the exit code. */
export async function serveWhole(config: Config, pages: ConsoleSource): Promise<number> {
  endWithLauncher();
  const store = await openStore(config, { create: true, serve: true });
  const log = createLog(config.logLevel);
  const app = await listening(config, store, () => startApp(config, store, log, { pages }), log);
  const stopped = untilStopped({ app, store, limits: config.limits, log });
  process.stdout.write(await greet(config, store, app));
  return stopped;
}
