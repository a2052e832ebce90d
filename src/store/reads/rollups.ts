import type { NanoUsd } from "../../catalogue/money.ts";
import { AT, type Cell, type ReceiptRow } from "../rows.ts";
import { SUM_COLUMNS } from "./usage-sums.ts";

export const HOUR_MS = 3_600_000;

/** What an hour of one key and model adds up to. */
interface Rollup {
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
  cost: NanoUsd;
}

/** The columns of an hour in the order both databases write them. */
export const ROLLUP_COLUMNS = ["account_id", "key_id", "model", "hour", ...SUM_COLUMNS];

/** Cells in the order of the columns. */
export function rollupCells(sum: Rollup): readonly Cell[] {
  return [
    sum.accountId,
    sum.keyId,
    sum.model,
    sum.hour,
    sum.requests,
    sum.failures,
    sum.fresh,
    sum.cacheRead,
    sum.cacheWrite,
    sum.cacheWriteLong,
    sum.output,
    sum.cost,
  ];
}

/** Adds the receipts of a batch up by hour, so that each hour's row is written once per batch. */
export class Rollups {
  readonly #byHour = new Map<string, Rollup>();

  add(row: ReceiptRow): void {
    const accountId = row[AT.accountId];
    const keyId = row[AT.keyId];
    const model = row[AT.model];
    const hour = Math.floor(row[AT.createdAt] / HOUR_MS);
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
    const requests = row[AT.requests];
    rollup.requests += requests;
    if (row[AT.status] >= 400) rollup.failures += requests;
    rollup.fresh += row[AT.fresh];
    rollup.cacheRead += row[AT.cacheRead];
    rollup.cacheWrite += row[AT.cacheWrite];
    rollup.cacheWriteLong += row[AT.cacheWriteLong];
    rollup.output += row[AT.output];
    rollup.cost += row[AT.cost];
  }

  all(): IterableIterator<Rollup> {
    return this.#byHour.values();
  }
}
