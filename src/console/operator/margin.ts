import { shown } from "../../accounts/shown.ts";
import type { Model } from "../../catalogue/models.ts";
import {
  formatUsd,
  type NanoUsd,
  price,
  type Rates,
  withoutMarkup,
} from "../../catalogue/money.ts";
import { isOwnPrice, markupIn } from "../../catalogue/price-version.ts";
import { NO_USAGE } from "../../protocols/usage.ts";
import type { MarginLine } from "./contract/ledger.ts";
import type { ChannelSum, DayRange } from "./store.ts";

const DAY_MS = 86_400_000;

/** What ships, by id: the vendors' own prices. */
export type FindShipped = (id: string) => Model | undefined;

/**
 * The rates of a model in these days. Undefined where there are several by the day, the hour or the size of a prompt:
 * sums of days do not tell which of them a request was of.
 */
function onlyRates({ prices }: Model, { fromDay, toDay }: DayRange): Rates | undefined {
  const [fromMs, toMs] = [fromDay * DAY_MS, toDay * DAY_MS];
  const inForce = prices.filter(
    ({ effectiveFromMs, effectiveToMs }) =>
      effectiveFromMs < toMs && (effectiveToMs === undefined || fromMs < effectiveToMs),
  );
  const [listed, ...others] = inForce;
  if (!listed || [others, listed.windows, listed.above].some(({ length }) => length > 0)) {
    return undefined;
  }
  return listed.rates;
}

/**
 * What the vendor takes for it by its price list. A marked-up price tells what it was made of; any
 * other price of the operator's own is compared with the list's, where the list has the model.
 */
function listCost(sum: ChannelSum, findShipped: FindShipped, range: DayRange): NanoUsd | undefined {
  const percent = markupIn(sum.priceVersion);
  if (percent !== undefined) return withoutMarkup(sum.charged, percent);
  if (!isOwnPrice(sum.priceVersion)) return sum.charged;
  const shipped = findShipped(sum.model);
  const rates = shipped && onlyRates(shipped, range);
  return rates && price({ ...NO_USAGE, ...sum }, rates).amount;
}

interface ChannelMargin {
  readonly channel: string;
  requests: number;
  failures: number;
  charged: NanoUsd;
  loss: NanoUsd;
  overage: NanoUsd;
  /** The list price of what has one. */
  cost: NanoUsd;
  /** Charged for what has no single list price. Neither the cost nor the margin counts it. */
  unpriced: NanoUsd;
  readonly unpricedModels: Set<string>;
}

function emptyLine(channel: string): ChannelMargin {
  const none = { charged: 0n, loss: 0n, overage: 0n, cost: 0n, unpriced: 0n };
  return { channel, requests: 0, failures: 0, ...none, unpricedModels: new Set() };
}

function mostChargedFirst(a: ChannelMargin, b: ChannelMargin): number {
  if (a.charged !== b.charged) return a.charged < b.charged ? 1 : -1;
  return a.channel < b.channel ? -1 : 1;
}

/** By channel, the one that charged most first. `range` are the days that the sums are of. */
export function marginLines(
  sums: readonly ChannelSum[],
  findShipped: FindShipped,
  range: DayRange,
): ChannelMargin[] {
  const lines = new Map<string, ChannelMargin>();
  for (const sum of sums) {
    const { channel } = sum;
    const line = lines.get(channel) ?? emptyLine(channel);
    lines.set(channel, line);
    line.requests += sum.requests;
    line.failures += sum.failures;
    line.charged += sum.charged;
    line.loss += sum.loss;
    line.overage += sum.overage;
    const cost = sum.charged === 0n ? 0n : listCost(sum, findShipped, range);
    if (cost !== undefined) {
      line.cost += cost;
    } else {
      line.unpriced += sum.charged;
      line.unpricedModels.add(sum.model);
    }
  }
  return [...lines.values()].toSorted(mostChargedFirst);
}

/** What reached no channel, as a line of its own. */
export function unroutedLine(
  all: { readonly requests: number; readonly failures: number },
  lines: readonly ChannelMargin[],
): readonly ChannelMargin[] {
  const line = emptyLine("");
  line.requests = all.requests - lines.reduce((sum, { requests }) => sum + requests, 0);
  line.failures = all.failures - lines.reduce((sum, { failures }) => sum + failures, 0);
  return line.requests > 0 ? [line] : [];
}

export function marginToJson(line: ChannelMargin): MarginLine {
  const { charged, cost, unpriced, loss } = line;
  const isKnown = unpriced === 0n || unpriced < charged;
  return {
    ...shown(line, "channel", "requests", "failures", "charged", "loss", "overage"),
    list_cost: isKnown ? formatUsd(cost) : null,
    margin: isKnown ? formatUsd(charged - unpriced - cost - loss) : null,
    unpriced: formatUsd(unpriced),
    unpriced_models: [...line.unpricedModels].toSorted(),
  };
}
