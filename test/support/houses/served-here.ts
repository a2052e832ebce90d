// A gateway in this process, as `faregate serve` starts it: a process of its own takes a second of a core to start
// and to get warm, and most suites ask nothing of it that is about the process.
import { Accounts } from "../../../src/accounts/accounts.ts";
import { firstRun } from "../../../src/cli/first-run.ts";
import { listening, urlOf } from "../../../src/cli/serving/serving.ts";
import { startApp } from "../../../src/compose/app.ts";
import { readConfig } from "../../../src/config/config.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { openStore } from "../../../src/store/open.ts";
import { createLog } from "../../../src/telemetry/log.ts";
import { STAND_INS } from "./stand-ins.ts";

export async function serveHere(settings: Record<string, string>) {
  const config = readConfig(settings, process.cwd());
  let said = "";
  const log = createLog(config.logLevel, (line) => {
    said += line;
  });
  const store = await openStore(config, { create: true, serve: true, log });
  const start = () => startApp(config, store, log, STAND_INS);
  const app = await listening(config, store, start, log);
  const accounts = new Accounts(store.accounts, systemClock, config.limits.key_requests_per_minute);
  const first = await firstRun(store, accounts, systemClock);
  const errors = Promise.withResolvers<string>();
  let stopped: Promise<void> | undefined;
  const end = async () => {
    stopped ??= app.stop();
    await stopped;
    errors.resolve(said);
  };
  return {
    /** What a person would read, without the words. */
    greeting: `${urlOf(config, app.port)}/v1 ${first?.key ?? ""}`,
    errors: errors.promise,
    /** Its own database, as commands have theirs; none once it ends. */
    context: () => (stopped ? undefined : { config, store, accounts }),
    stop: async () => {
      await end();
      return 0;
    },
    kill: end,
  };
}
