import type { Log, LogFields, LogLevel } from "./log.ts";

/** How long lines of one event are gathered. */
const GATHER_MS = 10_000;

/** What has happened again since its last line: how often, and what is known of the last time. */
interface Gathered {
  times: number;
  fields: LogFields;
}

/** Lines of one event: the first is written at once, those that follow together. */
class GatheredLines {
  readonly #write: (fields: LogFields) => void;
  #gathered: Gathered | undefined;

  constructor(write: (fields: LogFields) => void) {
    this.#write = write;
  }

  tell(fields: LogFields): void {
    if (this.#gathered) {
      this.#gathered.times += 1;
      this.#gathered.fields = fields;
      return;
    }
    this.#write(fields);
    this.#gather();
  }

  #gather(): void {
    this.#gathered = { times: 0, fields: {} };
    setTimeout(() => this.#tellGathered(), GATHER_MS).unref();
  }

  #tellGathered(): void {
    const gathered = this.#gathered;
    this.#gathered = undefined;
    if (!gathered || gathered.times === 0) return;
    this.#write({ ...gathered.fields, times: gathered.times });
    this.#gather();
  }
}

/**
 * The same log, where events that an outage repeats for each request do not fill it: the first is told at once, and
 * then every ten seconds the last of them, with how many `times` it was.
 */
export function calmLog(log: Log, events: readonly string[]): Log {
  const at = (level: LogLevel) => {
    const calm = new Map(
      events.map((event) => [
        event,
        new GatheredLines((fields: LogFields) => log[level](event, fields)),
      ]),
    );
    return (event: string, fields: LogFields = {}) => {
      const lines = calm.get(event);
      if (lines) lines.tell(fields);
      else log[level](event, fields);
    };
  };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}
