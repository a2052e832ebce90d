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

/** Fields whose value is a secret, whatever it looks like. */
const SECRET_NAME = /(?:access_token|secret)$/i;

/** Text by text: in a whole line, what looks like a secret may reach over the end of a text into the next field. */
function shown(name: string, value: unknown): unknown {
  if (typeof value !== "string") return plain(value);
  return SECRET_NAME.test(name) ? "…" : redact(value);
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
      write(`${JSON.stringify(line, shown)}\n`);
    };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}
