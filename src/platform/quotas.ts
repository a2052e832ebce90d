import type { QuotaRows } from "./tables/quotas.ts";

/** Calls of one account in one day, by what they count against. */
export const DAILY_QUOTAS = {
  token: 2_000,
  stable_token: 500_000,
  stable_token_force: 20,
  draft_add: 1_000,
  draft_get: 500,
  draft_delete: 1_000,
  draft_update: 1_000,
  draft_count: 1_000,
  draft_batchget: 1_000,
  publish_submit: 100,
  publish_get: 100,
  publish_delete: 10,
  publish_getarticle: 100,
  publish_batchget: 100,
  media_upload: 100_000,
  material_get: 1_000,
  material_batchget: 1_000,
  material_count: 5_000,
  material_delete: 1_000,
  mass_send: 100,
} as const;

export type QuotaName = keyof typeof DAILY_QUOTAS;

const CLEARS_PER_MONTH = 10;
const HOUR_MS = 3_600_000;
/** The platform's days begin at midnight of China. */
const ZONE_MS = 8 * HOUR_MS;

/** `2026-11-15`, the day that a moment is counted in. */
function quotaDay(nowMs: number): string {
  return new Date(nowMs + ZONE_MS).toISOString().slice(0, 10);
}

/** What accounts have called today, in the database, so that all instances count together. */
export class Quotas {
  readonly #store: QuotaRows;

  constructor(store: QuotaRows) {
    this.#store = store;
  }

  /** Counts one call. False when the day's are used up: it is not counted then. */
  count(appid: string, name: QuotaName, nowMs: number): Promise<boolean> {
    return this.#store.count(appid, quotaDay(nowMs), name, DAILY_QUOTAS[name]);
  }

  async used(appid: string, name: QuotaName, nowMs: number): Promise<number> {
    return this.#store.used(appid, quotaDay(nowMs), name);
  }

  /** For tests: as if so many calls had been made today. */
  setUsed(appid: string, name: QuotaName, used: number, nowMs: number): Promise<void> {
    return this.#store.setUsed(appid, quotaDay(nowMs), name, used);
  }

  /** Begins the account's day anew. False when it was done often enough this month. */
  async clear(appid: string, nowMs: number): Promise<boolean> {
    const day = quotaDay(nowMs);
    if (!(await this.#store.count(appid, day.slice(0, 7), "clear", CLEARS_PER_MONTH))) return false;
    await this.#store.clear(appid, day);
    return true;
  }
}
