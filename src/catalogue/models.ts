import shipped from "./catalogue.json" with { type: "json" };
import { picoPer, type Rates } from "./money.ts";

type Endpoint = "responses" | "chat";

/** Prices of a model from a date on. A request keeps the version it was admitted with. */
export interface PriceVersion {
  readonly version: string;
  readonly effectiveFromMs: number;
  readonly rates: Rates;
  /** Dearer rates for the whole request once the prompt passes a size, smallest first. */
  readonly above: readonly { readonly promptTokens: number; readonly rates: Rates }[];
}

export interface Model {
  readonly id: string;
  readonly ownedBy: string;
  readonly endpoints: readonly Endpoint[];
  readonly context: number;
  readonly maxOutput: number;
  readonly capabilities: readonly string[];
  /** The name each vendor knows the model by. */
  readonly upstream: Readonly<Record<string, string>>;
  /** Newest first. */
  readonly prices: readonly PriceVersion[];
}

interface RawRates {
  readonly input: string;
  readonly cache_read?: string;
  readonly cache_write?: string;
  readonly output: string;
}

interface RawModel {
  readonly id: string;
  readonly owned_by: string;
  readonly endpoints: readonly string[];
  readonly context: number;
  readonly max_output: number;
  readonly capabilities: readonly string[];
  readonly upstream: object;
  readonly prices: readonly {
    readonly version: string;
    readonly effective_from: string;
    readonly per_million: RawRates;
    readonly above?: readonly { readonly prompt_tokens: number; readonly per_million: RawRates }[];
    readonly web_search_per_thousand?: string;
  }[];
}

function readRates(raw: RawRates, webSearchPerThousand: string | undefined): Rates {
  const input = picoPer(raw.input, 1_000_000);
  return {
    input,
    // A bucket without a price of its own costs what plain input costs: never nothing.
    cacheRead: raw.cache_read === undefined ? input : picoPer(raw.cache_read, 1_000_000),
    cacheWrite: raw.cache_write === undefined ? input : picoPer(raw.cache_write, 1_000_000),
    output: picoPer(raw.output, 1_000_000),
    webSearch: picoPer(webSearchPerThousand ?? "0", 1_000),
  };
}

function readModel(raw: RawModel): Model {
  const prices = raw.prices.map((entry) => ({
    version: entry.version,
    effectiveFromMs: Date.parse(entry.effective_from),
    rates: readRates(entry.per_million, entry.web_search_per_thousand),
    above: (entry.above ?? []).map((tier) => ({
      promptTokens: tier.prompt_tokens,
      rates: readRates(tier.per_million, entry.web_search_per_thousand),
    })),
  }));
  return {
    id: raw.id,
    ownedBy: raw.owned_by,
    endpoints: raw.endpoints as readonly Endpoint[],
    context: raw.context,
    maxOutput: raw.max_output,
    capabilities: raw.capabilities,
    upstream: raw.upstream as Record<string, string>,
    prices: prices.toSorted((a, b) => b.effectiveFromMs - a.effectiveFromMs),
  };
}

/** The price in force at a moment. A model without one is not served, so that nothing is free by accident. */
export function priceAt(model: Model, atMs: number): PriceVersion | undefined {
  return model.prices.find((entry) => entry.effectiveFromMs <= atMs);
}

/** The rates a prompt of this size pays. */
export function ratesFor(priced: PriceVersion, promptTokens: number): Rates {
  const tier = priced.above.findLast((entry) => promptTokens > entry.promptTokens);
  return tier?.rates ?? priced.rates;
}

/** What two spellings of one name have in common: case and hyphen-for-dot are the usual slips. */
function spelling(id: string): string {
  return id.toLowerCase().replace(/[^a-z0-9]+/g, "");
}

export class Catalogue {
  readonly #models: ReadonlyMap<string, Model>;

  constructor(models: readonly Model[]) {
    this.#models = new Map(models.map((model) => [model.id, model]));
  }

  find(id: string): Model | undefined {
    return this.#models.get(id);
  }

  all(): IterableIterator<Model> {
    return this.#models.values();
  }
}

/** The listed id that someone who wrote `wanted` most likely meant. */
export function suggest(wanted: string, ids: Iterable<string>): string | undefined {
  const target = spelling(wanted);
  for (const id of ids) if (spelling(id) === target) return id;
  return undefined;
}

export function shippedCatalogue(): Catalogue {
  return new Catalogue(shipped.models.map(readModel));
}
