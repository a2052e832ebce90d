import { type PlatformApp, startPlatform } from "../compose/platform-server.ts";
import type { Config } from "../config/config.ts";
import { systemClock } from "../lib/clock.ts";
import { openStore } from "../store/open.ts";
import type { Store } from "../store/store.ts";
import { createLog } from "../telemetry/log.ts";
import { accountsOf } from "./accounts-of.ts";
import { firstOperatorLink } from "./first-operator.ts";
import { firstRun } from "./first-run.ts";
import { tellOfProcess } from "./serving/process-lines.ts";
import { serveUntilStopped } from "./serving/serve-until-stopped.ts";
import { endWithLauncher, listening, urlOf } from "./serving/serving.ts";
import { mistake } from "./terminal/arguments.ts";
import { say } from "./words/language.ts";

async function welcome(app: PlatformApp, config: Config, store: Store): Promise<string> {
  const { appid, secret } = await app.open.sandbox();
  const first = await firstRun(store, accountsOf(store, config), systemClock);
  const link = await firstOperatorLink(store, config, app.port);
  return [
    say("platformServes", { url: `${urlOf(config, app.port)}/platform` }),
    "",
    `  AppID      ${appid}`,
    `  AppSecret  ${secret}`,
    ...(first ? ["", say("platformKey", { key: first.key })] : []),
    ...(link ? ["", say("platformLink"), "", `  ${link}`] : []),
    "",
    `${say("ctrlC")}\n`,
  ].join("\n");
}

/** Serves only the platform, until it is told to stop; resolves with the exit code. */
export async function servePlatform(config: Config): Promise<number> {
  if (!config.platform.on) throw mistake("platformOff");
  endWithLauncher();
  const log = createLog(config.logLevel);
  const store = await openStore(config, { create: true, serve: true, log });
  return serveUntilStopped({
    ...{ store, log, limits: config.limits },
    start: () => listening(config, store, () => startPlatform(config, store, log), log),
    async greet(app) {
      tellOfProcess("platform");
      process.stdout.write(await welcome(app, config, store));
    },
  });
}
