import { systemClock } from "../lib/clock.ts";
import { redact } from "../lib/secrets/secrets.ts";

export type LogLevel = "debug" | "info" | "warn" | "error";
export type LogFields = Readonly<Record<string, unknown>>;

const RANK: Record<LogLevel, number> = { debug: 0, info: 1, warn: 2, error: 3 };

function plain(value: unknown): unknown {
  if (typeof value === "bigint") return value.toString();
  if (value instanceof Error) {
    const cause = value.cause instanceof Error ? { cause: value.cause.message } : {};
    return { name: value.name, message: value.message, stack: value.stack, ...cause };
  }
  return value;
}

export interface Log {
  debug(event: string, fields?: LogFields): void;
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
}

/** One JSON object per line on standard error, so that standard output stays for people. */
export function createLog(
  level: LogLevel,
  write: (line: string) => void = (line) => void process.stderr.write(line),
): Log {
  const at =
    (lineLevel: LogLevel) =>
    (event: string, fields: LogFields = {}) => {
      if (RANK[lineLevel] < RANK[level]) return;
      const line = {
        time: new Date(systemClock()).toISOString(),
        level: lineLevel,
        event,
        ...fields,
      };
      write(`${redact(JSON.stringify(line, (_key, value) => plain(value)))}\n`);
    };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}
