import type { Key, KeyBody } from "../../../src/console/contract/keys.ts";
import { dayIn } from "../../lib/format.ts";
import { endOfDay } from "../../lib/time/day-range.ts";

export const KEY_OPTIONS = ["hard", "account_read", "show_cost"] as const;

type Options = Readonly<Record<(typeof KEY_OPTIONS)[number], boolean>>;

export interface AccessValues extends Options {
  /** The last day on which the key works, or nothing. */
  readonly expires_at: string;
  readonly networks: string;
}

/** A key, or one that is only about to be made. */
type Accessed = Pick<Key, "expires_at" | "networks" | keyof Options>;

export function accessValues(key: Accessed, timeZone: string): AccessValues {
  const { expires_at, networks, hard, account_read, show_cost } = key;
  return {
    // A day is over at the midnight after it.
    expires_at: expires_at === null ? "" : dayIn(Date.parse(expires_at) - 1, timeZone),
    networks: networks?.join(", ") ?? "",
    hard,
    account_read,
    show_cost,
  };
}

export function accessBody(values: AccessValues, timeZone: string): KeyBody {
  const { expires_at: day, hard, account_read, show_cost } = values;
  const networks = values.networks.split(/[,\s]+/).filter(Boolean);
  return {
    expires_at: endOfDay(day, timeZone) ?? null,
    networks: networks.length > 0 ? networks : null,
    hard,
    account_read,
    show_cost,
  };
}
