import { holdPort } from "../compose/processes/held-port.ts";
import { MISTAKE_EXIT } from "../compose/processes/office-process.ts";
import { openSockets } from "../compose/processes/sockets.ts";
import { Supervisor } from "../compose/processes/supervisor.ts";
import { WorkerEndedError } from "../compose/processes/worker.ts";
import { type Config, ConfigError } from "../config/config.ts";
import { createLog } from "../telemetry/log.ts";
import { tellOfProcess } from "./serving/process-lines.ts";
import { portMistake } from "./serving/refused-port.ts";
import { endWithoutReader } from "./serving/stopping.ts";
import { onSignals } from "./terminal/signals.ts";

/** Several gates would share a port that somebody else has, or takes while none of them listens, without a word. */
function takePort(config: Config): void {
  const { host: hostname, port } = config;
  try {
    const fetch = () => new Response();
    void Bun.serve({ hostname, port, reusePort: false, fetch }).stop(true);
    // Which one the system chooses, nobody can name.
    if (port !== 0) holdPort({ hostname, port });
  } catch (thrown) {
    throw portMistake(config, thrown);
  }
}

/** Serves with several gates until it is told to stop; resolves with the exit code. */
export async function serveWorkers(config: Config): Promise<number> {
  if (config.databaseUrl === undefined) {
    throw new ConfigError(
      `FAREGATE_WORKERS is ${config.workers}, and the database is a folder of SQLite files, which one process ` +
        "serves. Set DATABASE_URL to a PostgreSQL database, or FAREGATE_WORKERS to 1.",
    );
  }
  if (process.platform === "win32") {
    throw new ConfigError(
      `FAREGATE_WORKERS is ${config.workers}, and processes cannot share a port on Windows. Set FAREGATE_WORKERS to 1.`,
    );
  }
  takePort(config);
  const supervisor = new Supervisor(config, createLog(config.logLevel), openSockets(config));
  const stopped = Promise.withResolvers<number>();
  const end = (settled: boolean) => {
    const code = settled ? 0 : 1;
    stopped.resolve(code);
    endWithoutReader(code);
  };
  let isStopping = false;
  const stop = () => {
    isStopping = true;
    void supervisor.stop().then(end, stopped.reject);
  };
  onSignals(["SIGINT", "SIGTERM"], stop, () => supervisor.hurry());
  try {
    await supervisor.start();
    tellOfProcess("supervisor");
  } catch (thrown) {
    // Those that were still to come up do not, then.
    if (isStopping) return stopped.promise;
    await supervisor.stop();
    if (thrown instanceof WorkerEndedError && thrown.exitCode === MISTAKE_EXIT) return MISTAKE_EXIT;
    throw thrown;
  }
  return stopped.promise;
}
