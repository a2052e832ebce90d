import type { KeySummary } from "../../accounts/account.ts";
import type { KeyBudget } from "../../accounts/keys/budget.ts";
import { wrongParameter } from "../query.ts";

type Order = (a: KeySummary, b: KeySummary) => number;

/** Names as people sort them: 2 before 10, and case does not count. */
const NAMES = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

function byNumber(of: (key: KeySummary) => number | bigint): Order {
  return (a, b) => {
    const [left, right] = [of(a), of(b)];
    return left < right ? -1 : left > right ? 1 : 0;
  };
}

/** Of a million, so that two budgets are seldom the same. */
function usedPart({ used, amount }: KeyBudget): number {
  return amount === 0n ? 1_000_000 : Number((used * 1_000_000n) / amount);
}

/** The budget that is nearest to its end; a key without one is farther from it than any other. */
function tightest({ budgets }: KeySummary): number {
  return Math.max(-1, ...budgets.map(usedPart));
}

const ORDERS: Readonly<Record<string, Order>> = {
  created: byNumber(({ createdAtMs }) => createdAtMs),
  name: (a, b) => NAMES.compare(a.name, b.name),
  spent: byNumber(({ used }) => used),
  last_used: byNumber(({ lastUsedAtMs }) => lastUsedAtMs ?? 0),
  budget: byNumber(tightest),
  enabled: byNumber(({ enabled }) => Number(enabled)),
};

/** `keys` come as they were made; those of a tie stay so, the newest first. */
export function sortedKeys(
  keys: readonly KeySummary[],
  param: string | undefined,
): readonly KeySummary[] {
  const newest = keys.toReversed();
  if (param === undefined) return newest;
  const descending = param.startsWith("-");
  const order = new Map(Object.entries(ORDERS)).get(descending ? param.slice(1) : param);
  if (!order) {
    const names = Object.keys(ORDERS).join(", ");
    throw wrongParameter("sort", `'sort' must be one of ${names}, with a '-' in front to turn it.`);
  }
  return newest.sort((a, b) => (descending ? order(b, a) : order(a, b)));
}

/** As they were made. */
const AGE: Order = (a, b) =>
  a.createdAtMs - b.createdAtMs || Number(a.id > b.id) - Number(a.id < b.id);

/**
 * Keys with one that is not listed any more, where it was. Whether it was enabled is not kept: it stands where each would
 * have it, so that who goes on behind the first misses none.
 */
export function withDeleted(
  keys: readonly KeySummary[],
  deleted: KeySummary,
): readonly KeySummary[] {
  const places = [true, false].map((enabled) => ({ ...deleted, enabled }));
  return [...keys, ...places].sort(AGE);
}

/** Those behind one of them. */
export function keysBehind(keys: readonly KeySummary[], after: string): readonly KeySummary[] {
  const place = keys.findIndex(({ id }) => id === after);
  return keys.slice(place + 1).filter(({ id }) => id !== after);
}

/** By a part of the name, the id, or the last characters of the secret. */
export function matchingKeys(
  keys: readonly KeySummary[],
  param: string | undefined,
): readonly KeySummary[] {
  const sought = param?.trim().toLowerCase();
  if (!sought) return keys;
  const ending = sought.replace(/^(?:…|\.{3})/, "");
  return keys.filter(
    ({ id, name, lastFour }) =>
      name.toLowerCase().includes(sought) ||
      id.toLowerCase() === sought ||
      lastFour.toLowerCase() === ending ||
      (sought.startsWith("sk-") && sought.endsWith(lastFour.toLowerCase())),
  );
}
