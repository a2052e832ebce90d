import type { Log } from "../../src/telemetry/log.ts";

/** For houses whose tests do not look at the log. */
export const SILENT: Log = { debug() {}, info() {}, warn() {}, error() {} };
