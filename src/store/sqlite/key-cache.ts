import type { Database } from "bun:sqlite";
import type { PresentedKey } from "../../accounts/account.ts";
import { FIND_KEY_SQL, type PresentedKeyRow, readPresentedKey } from "../keys/key-rows.ts";
import type { DayLosses } from "./book/day-losses.ts";

const KEYS_MAX = 10_000;

/**
 * Keys by their hash. Each commit of the writer empties a reader's pages, so under load a lookup is three
 * pages read anew, for every request. They are kept until one is changed, which only the ledger owner
 * does; it forgets them then.
 */
export class KeyCache {
  readonly #find;
  readonly #keys = new Map<string, PresentedKey>();

  readonly #losses: DayLosses;

  constructor(db: Database, losses: DayLosses) {
    this.#losses = losses;
    this.#find = db.prepare<PresentedKeyRow, [string]>(FIND_KEY_SQL);
  }

  find(hash: string): PresentedKey | undefined {
    const known = this.#keys.get(hash);
    if (known) return known;
    const row = this.#find.get(hash);
    if (!row) return undefined;
    const key = readPresentedKey(row, this.#losses.of(row.account_id));
    if (this.#keys.size >= KEYS_MAX) this.#keys.clear();
    this.#keys.set(hash, key);
    return key;
  }

  /** One of them may have changed. */
  forget(): void {
    this.#keys.clear();
  }
}
