import { startOffice } from "../compose/office-server.ts";
import { officeAddress } from "../compose/processes/office-process.ts";
import { READY } from "../compose/processes/office-supervisor.ts";
import type { Config } from "../config/config.ts";
import { lowerPriority } from "../lib/threads/lower-priority.ts";
import { openStore } from "../store/open.ts";
import { createLog } from "../telemetry/log.ts";
import type { Environment } from "./draft/draft-server.ts";
import { tellOfProcess } from "./serving/process-lines.ts";
import { endWithLauncher } from "./serving/serving.ts";
import { untilStopped } from "./serving/stopping.ts";
import { mistake } from "./terminal/arguments.ts";

/** Brings the tables of all rooms up to date, and that is all. */
async function bringTables(config: Config): Promise<number> {
  await (await openStore(config, { create: true, serve: false, forServer: true })).close();
  return 0;
}

/** The half of a server that a gate starts beside itself. Nobody types this. */
export async function office(
  config: Config,
  argv: readonly string[],
  env: Environment,
): Promise<number> {
  endWithLauncher();
  if (argv[0] === "tables") return bringTables(config);
  const reservation = officeAddress(env);
  if (!reservation) throw mistake("noCommand", { command: "office" });
  lowerPriority();
  // From a terminal it comes to this process as well, whose gate ends it in its turn.
  process.on("SIGINT", () => {});
  const { limits } = config;
  const log = createLog(config.logLevel);
  const store = await openStore(config, { create: false, serve: false, log });
  const app = await startOffice(config, store, log, reservation);
  const stopped = untilStopped({ app, store, limits, log, signals: ["SIGTERM"] });
  tellOfProcess("office");
  process.stdout.write(`${READY}\n`);
  return stopped;
}
