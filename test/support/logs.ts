import { createLog, type Log, type LogLevel } from "../../src/telemetry/log.ts";

/** For houses whose tests do not look at the log. */
export const SILENT: Log = { debug() {}, info() {}, warn() {}, error() {} };

/** A log whose lines are kept for the test to look at. */
export function keptLog(level: LogLevel = "debug") {
  const lines: string[] = [];
  return {
    log: createLog(level, (line) => lines.push(line)),
    lines,
    /** What was said of an event. */
    logged: (event: string): Record<string, unknown>[] =>
      lines.map((line) => JSON.parse(line)).filter((line) => line.event === event),
  };
}
