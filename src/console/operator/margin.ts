import { shown } from "../../accounts/shown.ts";
import { type Model, priceAt } from "../../catalogue/models.ts";
import { formatUsd, type NanoUsd, price, withoutMarkup } from "../../catalogue/money.ts";
import { isOwnPrice, markupIn } from "../../catalogue/price-version.ts";
import { NO_USAGE } from "../../protocols/usage.ts";
import type { MarginLine } from "./contract/ledger.ts";
import type { ChannelSum } from "./store.ts";

/** What ships, by id: the vendors' own prices. */
export type FindShipped = (id: string) => Model | undefined;

/**
 * What the vendor takes for it by its price list. A marked-up price tells what it was made of; any
 * other price of the operator's own is compared with the list's, where the list has the model.
 */
function listCost(sum: ChannelSum, findShipped: FindShipped, nowMs: number): NanoUsd | undefined {
  const percent = markupIn(sum.priceVersion);
  if (percent !== undefined) return withoutMarkup(sum.charged, percent);
  const shipped = findShipped(sum.model);
  if (!isOwnPrice(sum.priceVersion)) return sum.charged;
  const listed = shipped && priceAt(shipped, nowMs);
  return listed && price({ ...NO_USAGE, ...sum }, listed.rates).amount;
}

interface ChannelMargin {
  readonly channel: string;
  requests: number;
  failures: number;
  charged: NanoUsd;
  loss: NanoUsd;
  overage: NanoUsd;
  /** Undefined once something of it is not known. */
  cost: NanoUsd | undefined;
}

function mostChargedFirst(a: ChannelMargin, b: ChannelMargin): number {
  if (a.charged !== b.charged) return a.charged < b.charged ? 1 : -1;
  return a.channel < b.channel ? -1 : 1;
}

/** By channel, the one that charged most first. */
export function marginLines(
  sums: readonly ChannelSum[],
  findShipped: FindShipped,
  nowMs: number,
): ChannelMargin[] {
  const lines = new Map<string, ChannelMargin>();
  for (const sum of sums) {
    const { channel } = sum;
    const empty = { requests: 0, failures: 0, charged: 0n, loss: 0n, overage: 0n, cost: 0n };
    const line = lines.get(channel) ?? { channel, ...empty };
    lines.set(channel, line);
    line.requests += sum.requests;
    line.failures += sum.failures;
    line.charged += sum.charged;
    line.loss += sum.loss;
    line.overage += sum.overage;
    const cost = sum.charged === 0n ? 0n : listCost(sum, findShipped, nowMs);
    line.cost = line.cost === undefined || cost === undefined ? undefined : line.cost + cost;
  }
  return [...lines.values()].toSorted(mostChargedFirst);
}

export function marginToJson(line: ChannelMargin): MarginLine {
  const { cost } = line;
  return {
    ...shown(line, "channel", "requests", "failures", "charged", "loss", "overage"),
    list_cost: cost === undefined ? null : formatUsd(cost),
    margin: cost === undefined ? null : formatUsd(line.charged - cost - line.loss),
  };
}
