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

type LogFormat = "json" | "text";

/** How lines are written: as JSON for programs, or as text for a person at a terminal. */
export function logFormat({ isTTY }: { readonly isTTY?: boolean } = process.stderr): LogFormat {
  return isTTY ? "text" : "json";
}

/** Words that need no quotes. */
const BARE = /^[\w.:/@+-]+$/;
/** Characters by which a terminal is steered, and that JSON writes as they are. */
const STEERING = /[\u007f-\u009f]/g;

function escaped(text: string): string {
  return text.replace(STEERING, (char) => `\\u00${char.charCodeAt(0).toString(16)}`);
}

function fieldText(value: unknown): string {
  if (typeof value === "string" && BARE.test(value)) return value;
  return escaped(JSON.stringify(value));
}

interface ShownError {
  readonly name: string;
  readonly message: string;
  readonly stack?: string;
}

function isError(value: unknown): value is ShownError {
  return typeof value === "object" && value !== null && "message" in value && "stack" in value;
}

/** The time of day, level, event and fields; an error has its stack on lines of its own. */
function textLine(json: string): string {
  const { time, level, event, ...fields } = JSON.parse(json) as Record<string, unknown>;
  const clock = new Date(String(time)).toLocaleTimeString("en-GB");
  const words = [clock, String(level).padEnd(5), fieldText(event)];
  const stacks: string[] = [];
  for (const [name, value] of Object.entries(fields)) {
    if (isError(value)) {
      words.push(`${name}=${fieldText(`${value.name}: ${value.message}`)}`);
      for (const line of String(value.stack).split("\n")) {
        stacks.push(`    ${escaped(JSON.stringify(line)).slice(1, -1)}\n`);
      }
    } else words.push(`${name}=${fieldText(value)}`);
  }
  return `${words.join(" ")}\n${stacks.join("")}`;
}

function toStandardError(line: string): void {
  process.stderr.write(line);
}

/** Writes lines to standard error, so that standard output stays for people; elsewhere they are JSON. */
export function createLog(
  level: LogLevel,
  write: (line: string) => void = toStandardError,
  format: LogFormat = write === toStandardError ? logFormat() : "json",
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
      const json = JSON.stringify(line, shown);
      write(format === "json" ? `${json}\n` : textLine(json));
    };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}
