import { createReadStream } from "node:fs";
import { Accounts } from "../accounts/accounts.ts";
import { type App, startApp } from "../compose.ts";
import type { Config } from "../config.ts";
import { systemClock } from "../lib/clock.ts";
import { openStore } from "../store/open.ts";
import type { Store } from "../store/store.ts";
import { createLog } from "../telemetry/log.ts";
import { UsageError } from "./arguments.ts";
import { type FirstRun, firstRun } from "./first-run.ts";
import { firstOperatorLink } from "./operator.ts";

/** A launcher that is killed closes its end of this stream; the server goes with it. */
function endWithLauncher(): void {
  const fd = Number(process.env.FAREGATE_LAUNCHER_FD);
  if (!Number.isInteger(fd) || fd < 3) return;
  const stream = createReadStream("", { fd });
  stream.on("close", () => process.exit(1));
  stream.on("error", () => process.exit(1));
  stream.resume();
}

function baseUrl(config: Config, port: number): string {
  if (config.publicUrl !== undefined) return `${config.publicUrl}/v1`;
  const everywhere = config.host === "0.0.0.0" || config.host === "::";
  const host = everywhere ? "127.0.0.1" : config.host;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}/v1`;
}

function welcome(url: string, first: FirstRun, model: string): string {
  return `
Faregate is ready.

  Base URL  ${url}
  API key   ${first.key}
  Credit    ${first.credit} USD of trial credit

The key is shown only now. Try it:

  curl ${url}/responses \\
    -H "Authorization: Bearer ${first.key}" \\
    -H "Content-Type: application/json" \\
    -d '{"model": "${model}", "input": "Say hello."}'

Every OpenAI client works with this base URL and key. Ctrl-C stops the server.
`;
}

async function start(config: Config, store: Store): Promise<App> {
  const log = createLog(config.logLevel);
  try {
    return await startApp(config, store, log);
  } catch (thrown) {
    await store.close();
    if ((thrown as { code?: string }).code === "EADDRINUSE") {
      throw new UsageError(
        `port ${config.port} of ${config.host} is in use; set FAREGATE_PORT to another one`,
      );
    }
    throw thrown;
  }
}

/** Resolves with the exit code when the process is told to stop, or cannot go on. */
function untilStopped(app: App, store: Store): Promise<number> {
  return new Promise((resolve) => {
    const stop = () => void app.stop().then(() => resolve(0));
    process.once("SIGINT", stop);
    process.once("SIGTERM", stop);
    // Without its writer the process can promise nothing; whoever restarts it starts clean.
    void store.failed.then((reason) => {
      process.stderr.write(`faregate: ${reason.message}; stopping\n`);
      resolve(1);
    });
  });
}

/** Serves until it is told to stop; resolves with the exit code. */
export async function serve(config: Config): Promise<number> {
  endWithLauncher();
  const store = await openStore(config, { create: true, serve: true });
  const app = await start(config, store);
  const stopped = untilStopped(app, store);
  const accounts = new Accounts(store.accounts, systemClock, config.limits.key_requests_per_minute);
  const first = await firstRun(store, accounts, systemClock);
  const url = baseUrl(config, app.port);
  const model = app.services.routes.models().find((entry) => entry.endpoints.includes("responses"));
  const words = first ? welcome(url, first, model?.id ?? "sandbox-1.0") : `Faregate serves ${url}`;
  const link = first && (await firstOperatorLink(store, config, app.port));
  const console = link
    ? `\nThe console is yours to open, once, within an hour:\n\n  ${link}\n`
    : "";
  process.stdout.write(`${words}\n${console}`);
  return stopped;
}
