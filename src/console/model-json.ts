import {
  isFreeAt,
  type ListedPrice,
  type Model,
  type PriceVersion,
  type PriceWindow,
} from "../catalogue/models.ts";
import { formatPer, type Rates } from "../catalogue/money.ts";
import { planVersion } from "../catalogue/price-version.ts";

const MILLION = 1_000_000;

/** Dollars per million tokens. */
function ratesToJson(rates: Rates) {
  return {
    input: formatPer(rates.input, MILLION),
    cache_read: formatPer(rates.cacheRead, MILLION),
    cache_write: formatPer(rates.cacheWrite, MILLION),
    cache_write_long: formatPer(rates.cacheWriteLong, MILLION),
    output: formatPer(rates.output, MILLION),
  };
}

function tiersToJson({ above }: Pick<PriceVersion, "above">) {
  return above.map(({ promptTokens, rates }) => ({
    prompt_tokens: promptTokens,
    ...ratesToJson(rates),
  }));
}

function windowToJson({ hoursUtc, weekdays, price }: PriceWindow) {
  return {
    hours_utc: hoursUtc.map(({ from, to }) => [from, to] as const),
    weekdays,
    ...ratesToJson(price.rates),
    above: tiersToJson(price),
  };
}

function priceToJson(price: ListedPrice, webSearch: boolean, operator: boolean) {
  return {
    version: operator ? price.version : planVersion(price.version),
    effective_from: new Date(price.effectiveFromMs).toISOString(),
    effective_to:
      price.effectiveToMs === undefined ? null : new Date(price.effectiveToMs).toISOString(),
    ...ratesToJson(price.rates),
    web_search_per_thousand: webSearch ? formatPer(price.rates.webSearch, 1_000) : null,
    above: tiersToJson(price),
    windows: price.windows.map(windowToJson),
  };
}

/**
 * A model with the price that is in force and those that are announced, the next one first. What a price
 * was made of is the operator's business.
 */
export function modelToJson(model: Model, nowMs: number, operator: boolean) {
  const { prices, webSearch } = model;
  const current = prices.find(
    ({ effectiveFromMs, effectiveToMs }) =>
      effectiveFromMs <= nowMs && (effectiveToMs === undefined || nowMs < effectiveToMs),
  );
  const upcoming = prices.filter(({ effectiveFromMs }) => effectiveFromMs > nowMs).toReversed();
  return {
    id: model.id,
    display_name: model.displayName,
    owned_by: model.ownedBy,
    context: model.context,
    max_output: model.maxOutput,
    endpoints: model.endpoints,
    modalities: model.modalities,
    capabilities: model.capabilities,
    released_at: model.releasedMs === undefined ? null : new Date(model.releasedMs).toISOString(),
    deprecates_on: model.deprecatesOn ?? null,
    replacement: model.replacement ?? null,
    free: isFreeAt(model, nowMs),
    price: current ? priceToJson(current, webSearch, operator) : null,
    upcoming: upcoming.map((price) => priceToJson(price, webSearch, operator)),
  };
}
