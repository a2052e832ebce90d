import { hasCome } from "../lib/clock.ts";
import type { CallRows } from "./tables/calls.ts";
import type { CallRecord } from "./tables/schema.ts";

const KEEP_MS = 7 * 86_400_000;
const TIDY_MS = 3_600_000;
/** Of each text; the rest of a long one tells nothing more. */
const BODY_CHARS = 4_096;
const ADDRESS_CHARS = 1_024;
/** So many calls of an account lie between two looks at how many are kept. */
const TRIM_CALLS = 100;
/** The clock of another machine is not further ahead. */
const AHEAD_MS = 60_000;

/** Longer names end so too. */
const IN_QUERY = /((?:access_token|refresh_token|secret)=)[^&\s"']+/gi;
const IN_JSON =
  /("\w*(?:access_token|refresh_token|secret|verify_ticket)"\s*:\s*")(?:[^"\\]|\\.)*/gi;

/** A text of a call without tokens and secrets, as long as is kept and fit for any database. */
function keptText(text: string, chars: number): string {
  return (
    text
      .slice(0, chars)
      .replace(IN_QUERY, "$1***")
      .replace(IN_JSON, "$1***")
      // biome-ignore lint/suspicious/noControlCharactersInRegex: PostgreSQL takes no zero in a text.
      .replace(/\u0000/g, "\ufffd")
      .toWellFormed()
  );
}

/** What was called, by the id that every error names. Kept for a week, if there is room. */
export class CallLog {
  readonly #store: CallRows;
  /** Of one account, and of all callers together that are none. */
  readonly #callsMax: number;
  /** Calls of an account since it was last looked at. */
  readonly #fresh = new Map<string, number>();
  #tidiedAtMs = 0;

  constructor(store: CallRows, callsMax: number) {
    this.#store = store;
    this.#callsMax = callsMax;
  }

  async record(call: CallRecord): Promise<void> {
    await this.#store.add({
      ...call,
      url: keptText(call.url, ADDRESS_CHARS),
      path: keptText(call.path, ADDRESS_CHARS),
      request_body: keptText(call.request_body, BODY_CHARS),
      response_body: keptText(call.response_body, BODY_CHARS),
    });
    await this.#trim(call);
    if (!hasCome(this.#tidiedAtMs + TIDY_MS, call.at, TIDY_MS)) return;
    this.#tidiedAtMs = call.at;
    // A call that lies as far ahead was recorded before a clock was set back.
    await this.#store.removeOutside(call.at - KEEP_MS, call.at + KEEP_MS);
  }

  /** Anybody can call, so what is kept of it has an end. */
  async #trim({ appid, at }: CallRecord): Promise<void> {
    const fresh = this.#fresh.get(appid ?? "") ?? 0;
    this.#fresh.set(appid ?? "", (fresh + 1) % TRIM_CALLS);
    if (fresh === 0) await this.#store.trim(appid, this.#callsMax, at + AHEAD_MS);
  }

  find(rid: string): Promise<CallRecord | undefined> {
    return this.#store.find(rid);
  }

  /** Newest first. */
  list(appid: string | undefined, limit: number): Promise<readonly CallRecord[]> {
    return this.#store.list(appid, limit);
  }

  /** Whether a call of this moment would still be known. */
  reaches(atMs: number, nowMs: number): boolean {
    return atMs > nowMs - KEEP_MS && atMs <= nowMs + 1000;
  }
}
