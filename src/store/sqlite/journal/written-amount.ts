import type { NanoUsd } from "../../../catalogue/money.ts";

/** An amount in the JSON of a line or a slot. Every version reads either form by `BigInt`. */
export type WrittenAmount = number | string;

/** A number where that has every nano, up to some nine million dollars: it is written without a text of its own. */
export function writeAmount(nano: NanoUsd): WrittenAmount {
  const amount = Number(nano);
  return Number.isSafeInteger(amount) ? amount : String(nano);
}

export function readAmount(written: WrittenAmount): NanoUsd {
  return BigInt(written);
}
