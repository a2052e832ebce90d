import { startGate } from "../compose/gate-server.ts";
import { bringTables } from "../compose/processes/office-process.ts";
import { answerSupervisor, tellSupervisor } from "../compose/processes/supervised-office.ts";
import { type WorkerIdentity, workerIdentity } from "../compose/processes/worker-words.ts";
import type { Config } from "../config/config.ts";
import { roomsAreCurrent } from "../store/migrations/room-versions.ts";
import { openEngine } from "../store/open-engine.ts";
import type { Store } from "../store/store.ts";
import { createLog, type Log, logFormat } from "../telemetry/log.ts";
import type { Environment } from "./draft/draft-server.ts";
import { greet } from "./serving/greeting.ts";
import { tellOfProcess } from "./serving/process-lines.ts";
import { serveUntilStopped } from "./serving/serve-until-stopped.ts";
import { endWithLauncher, listening } from "./serving/serving.ts";
import { readOptions } from "./terminal/arguments.ts";

/** Opens the database as a gate does, which knows nothing of the rooms behind it. */
function openGateStore(config: Config, log: Log, anew: boolean): Promise<Store> {
  return openEngine(config, {
    ...{ create: true, serve: true, anew, log },
    async beforeServing(sql) {
      if (!(await roomsAreCurrent(sql))) await bringTables(config, log);
    },
  });
}

/** One gate: the whole server but for its office, or one of several on one port. */
async function serveGate(
  config: Config,
  worker: WorkerIdentity | undefined,
  anew: boolean,
): Promise<number> {
  const log = createLog(config.logLevel);
  const store = await openGateStore(config, log, anew);
  const open = () => startGate(config, store, log, worker);
  return serveUntilStopped({
    ...{ store, log, limits: config.limits },
    start: () => listening(config, store, open, log),
    async greet(app) {
      const isAtTerminal = logFormat() === "text";
      if (!isAtTerminal) tellOfProcess("gate");
      if (worker?.greets !== false) process.stdout.write(await greet(config, store, app));
      // A person at a terminal reads the greeting first.
      if (isAtTerminal) tellOfProcess("gate");
      if (worker) tellSupervisor({ kind: "ready", port: app.port });
    },
  });
}

/** Serves until it is told to stop; resolves with the exit code. */
export async function serve(
  config: Config,
  argv: readonly string[],
  env: Environment,
): Promise<number> {
  const options = readOptions(argv, ["new?"]);
  endWithLauncher();
  const worker = workerIdentity(env);
  if (worker) answerSupervisor();
  if (config.workers === 1 || worker) return serveGate(config, worker, options.new === true);
  return (await import("./serve-workers.ts")).serveWorkers(config);
}
