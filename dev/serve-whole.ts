import { greet } from "../src/cli/greeting.ts";
import { endWithLauncher, listening, untilStopped } from "../src/cli/serving.ts";
import { startApp } from "../src/compose/app.ts";
import type { Config } from "../src/config/config.ts";
import type { ConsoleSource } from "../src/http/console-files.ts";
import { openStore } from "../src/store/open.ts";

/** Serves gate and office in one process, with other pages than the built ones; resolves with the exit code. */
export async function serveWhole(config: Config, pages: ConsoleSource): Promise<number> {
  endWithLauncher();
  const store = await openStore(config, { create: true, serve: true });
  const app = await listening(config, store, (log) => startApp(config, store, log, { pages }));
  const stopped = untilStopped(app, store);
  process.stdout.write(await greet(config, store, app));
  return stopped;
}
