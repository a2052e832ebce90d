import { writeSync } from "node:fs";
import { version } from "../../../package.json" with { type: "json" };
import { createLog, logFormat } from "../../telemetry/log.ts";

/** At once, since what is left in a stream when a process ends is lost. Nobody may be there to read it. */
function write(line: string): void {
  try {
    writeSync(process.stderr.fd, line);
  } catch {}
}

/**
 * One line when a process begins to serve and one when it ends, in whichever way it comes to that, whatever else
 * is told: who reads a log must see where one process ends and the next begins.
 */
export function tellOfProcess(role: "gate" | "office" | "platform" | "supervisor"): void {
  const log = createLog("info", write, logFormat());
  const { pid } = process;
  log.info("process_started", { role, pid, version });
  process.on("exit", (exitCode) => {
    const seconds = Math.round(process.uptime());
    log.info("process_stopped", { role, pid, exitCode, seconds });
  });
}
