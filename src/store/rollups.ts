import { AT, type ReceiptRow } from "./rows.ts";

export const HOUR_MS = 3_600_000;

/** What an hour of one key and model adds up to. */
export interface Rollup {
  readonly accountId: string;
  readonly keyId: string;
  readonly model: string;
  readonly hour: number;
  requests: number;
  failures: number;
  fresh: number;
  cacheRead: number;
  cacheWrite: number;
  cacheWriteLong: number;
  output: number;
  cost: bigint;
}

/** Adds the receipts of a batch up by hour, so that each hour's row is written once per batch. */
export class Rollups {
  readonly #byHour = new Map<string, Rollup>();

  add(row: ReceiptRow): void {
    const accountId = row[AT.accountId] as string;
    const keyId = row[AT.keyId] as string;
    const model = row[AT.model] as string;
    const hour = Math.floor((row[AT.createdAt] as number) / HOUR_MS);
    const name = `${keyId} ${hour} ${model}`;
    let rollup = this.#byHour.get(name);
    if (!rollup) {
      rollup = {
        accountId,
        keyId,
        model,
        hour,
        requests: 0,
        failures: 0,
        fresh: 0,
        cacheRead: 0,
        cacheWrite: 0,
        cacheWriteLong: 0,
        output: 0,
        cost: 0n,
      };
      this.#byHour.set(name, rollup);
    }
    const requests = row[AT.requests] as number;
    rollup.requests += requests;
    if ((row[AT.status] as number) >= 400) rollup.failures += requests;
    rollup.fresh += row[AT.fresh] as number;
    rollup.cacheRead += row[AT.cacheRead] as number;
    rollup.cacheWrite += row[AT.cacheWrite] as number;
    rollup.cacheWriteLong += row[AT.cacheWriteLong] as number;
    rollup.output += row[AT.output] as number;
    rollup.cost += row[AT.cost] as bigint;
  }

  all(): IterableIterator<Rollup> {
    return this.#byHour.values();
  }
}
