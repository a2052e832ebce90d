import type { ConfigFile } from "../config/file.ts";
import { ConfigError, didYouMean, notOneOf } from "../config/members.ts";
import type { ModelConfig } from "../config/models.ts";
import { CAPABILITIES, ENDPOINTS } from "./abilities.ts";
import type { ListedPrice, Model } from "./models.ts";
import { costsNothing, markUp, type Rates } from "./money.ts";
import { markedVersion } from "./price-version.ts";
import { atPrices, RULE_NAMES, readsOnly, toRates } from "./read-model.ts";

/** Where prices of the operator's own come from, as receipts name their version. */
type OverrideSource = "faregate.yaml" | "console";

const FREE: Rates = {
  input: 0n,
  cacheRead: 0n,
  cacheWrite: 0n,
  cacheWriteLong: 0n,
  output: 0n,
  webSearch: 0n,
};

function marked(model: Model, percent: string): Model {
  const raise = <T extends Pick<ListedPrice, "version" | "rates" | "above">>(price: T): T => ({
    ...price,
    version: markedVersion(price.version, percent),
    rates: markUp(price.rates, percent),
    above: price.above.map((tier) => ({ ...tier, rates: markUp(tier.rates, percent) })),
  });
  const prices = model.prices.map((listed) => ({
    ...raise(listed),
    windows: listed.windows.map((window) => ({ ...window, price: raise(window.price) })),
  }));
  return { ...model, prices };
}

/** Words of the file of which each must be known, or what the model had. */
function words<T extends string>(
  config: ModelConfig,
  name: "endpoints" | "capabilities" | "rules",
  values: readonly T[],
): T[] | undefined {
  return config[name]?.map((text, index) => {
    const found = values.find((value) => value === text);
    if (found !== undefined) return found;
    throw new ConfigError(`${config.where}.${name}[${index}] ${notOneOf(text, values)}`);
  });
}

/** The day that a price begins on, or the moment where it is not midnight. */
function stamp(fromMs: number): string {
  const text = new Date(fromMs).toISOString();
  return text.endsWith("T00:00:00.000Z") ? text.slice(0, 10) : text;
}

function listedPrice(
  source: OverrideSource,
  name: string,
  rates: Rates,
  effectiveFromMs = 0,
): ListedPrice {
  return {
    version: name === "" ? source : `${source}/${name}`,
    effectiveFromMs,
    effectiveToMs: undefined,
    rates,
    above: [],
    windows: [],
    checkedAt: undefined,
    source,
  };
}

function pricesOf(
  config: ModelConfig,
  model: Model,
  source: OverrideSource,
): readonly ListedPrice[] {
  if (config.free) return [listedPrice(source, "free", FREE)];
  const { price } = config;
  if (!price) return model.prices;
  const inputOnly = readsOnly(model.endpoints);
  const fromMs = price.effectiveFromMs;
  const name = fromMs === undefined ? "" : stamp(fromMs);
  const rates = toRates(price.rates, price.where, inputOnly);
  const above = price.above
    .map((tier) => ({
      promptTokens: tier.promptTokens,
      rates: { ...toRates(tier.rates, tier.where, inputOnly), webSearch: rates.webSearch },
    }))
    .toSorted((a, b) => a.promptTokens - b.promptTokens);
  const mine = { ...listedPrice(source, name, rates, fromMs), above };
  // What was shipped goes on until the operator's own price begins, and not beyond.
  const before = model.prices.filter((shipped) => shipped.effectiveFromMs < mine.effectiveFromMs);
  return [mine, ...before];
}

function missing(config: ModelConfig, name: string): never {
  throw new ConfigError(
    `${config.where}.${name} is missing; the shipped catalogue has no such model.`,
  );
}

/** A model that nobody ships: everything that has no sensible default must be said. */
function added(config: ModelConfig): Model {
  const endpoints = words(config, "endpoints", ENDPOINTS) ?? ["responses", "chat"];
  if (!config.price && !config.free) {
    throw new ConfigError(
      `${config.where}.price is missing; write one, or "free: true" if it shall cost nothing.`,
    );
  }
  return {
    id: config.id,
    displayName: config.id,
    aliases: [],
    ownedBy: config.ownedBy ?? missing(config, "owned_by"),
    endpoints,
    context: config.context ?? missing(config, "context"),
    maxOutput: config.maxOutput ?? (readsOnly(endpoints) ? 0 : missing(config, "max_output")),
    modalities: { input: ["text"], output: ["text"] },
    capabilities: readsOnly(endpoints) ? [] : ["tools", "json_schema", "stream", "web_search"],
    rules: [],
    tokenFamily: "unknown",
    upstream: {},
    releasedMs: undefined,
    deprecatesOn: undefined,
    replacement: undefined,
    fallbacks: [],
    free: false,
    webSearch: false,
    prices: [],
  };
}

/** A model with what is said of it. Whether its fallbacks are there is not asked: others may yet come. */
export function merged(
  config: ModelConfig,
  shipped: Model | undefined,
  source: OverrideSource,
): Model {
  const base = shipped ?? added(config);
  const capabilities = words(config, "capabilities", CAPABILITIES) ?? base.capabilities;
  const endpoints = words(config, "endpoints", ENDPOINTS) ?? base.endpoints;
  const input = ["text" as const, ...(capabilities.includes("vision") ? ["image" as const] : [])];
  const model: Model = {
    ...base,
    ownedBy: config.ownedBy ?? base.ownedBy,
    endpoints,
    context: config.context ?? base.context,
    maxOutput: config.maxOutput ?? base.maxOutput,
    modalities: shipped && !config.capabilities ? base.modalities : { input, output: ["text"] },
    capabilities,
    rules: words(config, "rules", RULE_NAMES) ?? base.rules,
    upstream: { ...base.upstream, ...config.upstream },
    fallbacks: config.fallbacks ?? base.fallbacks,
  };
  const prices = pricesOf(config, model, source);
  // What was free stays free where nothing is said of it, or until its price begins.
  const free = config.free || (base.free && prices.some(({ rates }) => costsNothing(rates)));
  const priced = atPrices({ ...model, free }, prices);
  const givesAway = prices.some(
    ({ rates }) => rates.output === 0n && !(free && costsNothing(rates)),
  );
  if (givesAway && !readsOnly(endpoints)) {
    throw new ConfigError(
      `${config.where}.price is missing; without it, its output would be free.`,
    );
  }
  if (config.capabilities?.includes("web_search") && !priced.webSearch) {
    const at = `${config.where}.price.web_search_per_thousand`;
    throw new ConfigError(`${at} is missing; searches without a price are not offered.`);
  }
  return priced;
}

type Models = ReadonlyMap<string, Model>;

function unknownWords(id: string, where: string, models: Models): string | undefined {
  if (models.has(id)) return undefined;
  const hint = didYouMean(id, models.keys()) || "; give it a price under models.";
  return `${where} names "${id}", a model without a price${hint}`;
}

/** Those that cannot stand in for a model, with the words for it. */
export function wrongFallbacks(
  { id: self, fallbacks }: Pick<Model, "id" | "fallbacks">,
  where: string,
  models: Models,
): readonly { readonly id: string; readonly words: string }[] {
  return fallbacks.flatMap((id, index) => {
    const at = `${where}.fallbacks[${index}]`;
    const words =
      id === self ? `${at} is the model itself; leave it out.` : unknownWords(id, at, models);
    return words === undefined ? [] : [{ id, words }];
  });
}

/** The models with what the operator's file says about them. */
export function overridden(shipped: readonly Model[], file: ConfigFile): Model[] {
  const percent = file.markupPercent;
  const base = percent === undefined ? shipped : shipped.map((model) => marked(model, percent));
  const models = new Map(base.map((model) => [model.id, model]));
  for (const config of file.models) {
    models.set(config.id, merged(config, models.get(config.id), "faregate.yaml"));
  }
  const wrong = [
    ...file.models.flatMap(({ id, fallbacks = [], where }) =>
      wrongFallbacks({ id, fallbacks }, where, models).map(({ words }) => words),
    ),
    ...file.channels.flatMap(({ models: served, where }) =>
      typeof served === "string"
        ? []
        : served.flatMap(({ id }) => unknownWords(id, `${where}.models`, models) ?? []),
    ),
  ];
  if (wrong[0] !== undefined) throw new ConfigError(wrong[0]);
  return [...models.values()];
}
