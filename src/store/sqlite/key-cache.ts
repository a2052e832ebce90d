import type { Database } from "bun:sqlite";
import type { PresentedKey } from "../../accounts/account.ts";
import type { Clock } from "../../lib/clock.ts";
import { FIND_KEY_SQL, type PresentedKeyRow, readPresentedKey } from "../keys/key-rows.ts";

const KEYS_MAX = 10_000;

/**
 * Keys by their hash, as current as the file. Each commit of the writer empties a reader's pages, so
 * under load a lookup is three pages read anew, for every request. A counter that triggers move with
 * any change of a key or account, whichever process makes it, is one page, and is looked at once in a
 * millisecond: sooner than who made the change elsewhere can hear of it and send a request.
 */
export class KeyCache {
  readonly #clock: Clock;
  readonly #find;
  readonly #changes;
  readonly #keys = new Map<string, PresentedKey>();
  #seen = -1;
  #lookedAtMs = -1;

  constructor(db: Database, clock: Clock) {
    this.#clock = clock;
    this.#find = db.prepare<PresentedKeyRow, [string]>(FIND_KEY_SQL);
    this.#changes = db.prepare<{ count: number }, []>("select count from key_changes");
  }

  find(hash: string): PresentedKey | undefined {
    const nowMs = this.#clock();
    if (nowMs !== this.#lookedAtMs) this.#look(nowMs);
    const known = this.#keys.get(hash);
    if (known) return known;
    const row = this.#find.get(hash);
    if (!row) return undefined;
    const key = readPresentedKey(row);
    if (this.#keys.size >= KEYS_MAX) this.#keys.clear();
    this.#keys.set(hash, key);
    return key;
  }

  /** For a change of our own, which whoever asks next is to see. */
  lookAgain(): void {
    this.#lookedAtMs = -1;
  }

  #look(nowMs: number): void {
    const count = this.#changes.get()?.count ?? -1;
    if (count !== this.#seen) this.#keys.clear();
    this.#seen = count;
    this.#lookedAtMs = nowMs;
  }
}
