import { PRICE_DOLLARS_MAX } from "../config/dollars.ts";
import { ConfigError, Members } from "../config/members.ts";
import {
  type RATE_NAMES,
  type RateTexts,
  readRateTexts,
  TOKEN_RATE_NAMES,
} from "../config/models.ts";
import type { ModelRule } from "../protocols/wire.ts";
import { CAPABILITIES, ENDPOINTS, MODALITIES } from "./abilities.ts";
import { TOKEN_FAMILY_NAMES } from "./bounds/families.ts";
import type { ListedPrice, Model, PriceVersion, PriceWindow } from "./models.ts";
import { type PicoUsd, picoPer, type Rates } from "./money.ts";

/** Keyed by rule, so that a new one cannot be forgotten here. */
const RULES: Readonly<Record<ModelRule, true>> = {
  no_sampling: true,
  adaptive_thinking: true,
  always_thinking: true,
  thinking_level: true,
  open_thinking: true,
  thinks_when_asked: true,
  never_thinks: true,
  tools_or_effort: true,
  tools_or_thinking: true,
  no_effort_none: true,
  no_effort_minimal: true,
  no_effort_xhigh: true,
  no_effort_max: true,
};
export const RULE_NAMES = Object.keys(RULES) as ModelRule[];

const TOKENS = { min: 0, max: 100_000_000 };

/** A model that only reads: its answers are numbers, which nobody prices. */
export function readsOnly(endpoints: readonly string[]): boolean {
  return endpoints.every((endpoint) => endpoint === "embeddings");
}

type RateName = (typeof RATE_NAMES)[number];

function pico(texts: RateTexts, name: RateName, where: string): PicoUsd | undefined {
  const text = texts[name];
  if (text === undefined) return undefined;
  let unit: PicoUsd;
  try {
    unit = picoPer(text, name === "web_search_per_thousand" ? 1_000 : 1_000_000);
  } catch (thrown) {
    throw new ConfigError(`${where}.${name}: ${(thrown as Error).message}.`);
  }
  if (unit > 0n) return unit;
  throw new ConfigError(`${where}.${name} is zero; write a price above zero, or leave it out.`);
}

function required(texts: RateTexts, name: "input" | "output", where: string): PicoUsd {
  const unit = pico(texts, name, where);
  if (unit !== undefined) return unit;
  throw new ConfigError(`${where}.${name} is missing; write dollars per million tokens.`);
}

/** A list's decimals → unit prices, of which none is nothing. */
export function toRates(texts: RateTexts, where: string, inputOnly: boolean): Rates {
  const input = required(texts, "input", where);
  const output = inputOnly ? pico(texts, "output", where) : required(texts, "output", where);
  // A bucket without a price of its own costs what is nearest to it: never nothing.
  const cacheWrite = pico(texts, "cache_write", where) ?? input;
  return {
    input,
    cacheRead: pico(texts, "cache_read", where) ?? input,
    cacheWrite,
    cacheWriteLong: pico(texts, "cache_write_long", where) ?? cacheWrite,
    output: output ?? 0n,
    // Without a price, searches are not offered: see `Model.webSearch`.
    webSearch: pico(texts, "web_search_per_thousand", where) ?? 0n,
  };
}

interface RateReading {
  readonly search: string | undefined;
  readonly inputOnly: boolean;
}

function readRates(members: Members, { search, inputOnly }: RateReading): Rates {
  const raw = members.object("per_million", TOKEN_RATE_NAMES);
  if (!raw) return members.fail("per_million", "is missing; it holds the prices.");
  const searches = search === undefined ? {} : { web_search_per_thousand: search };
  return toRates({ ...readRateTexts(raw), ...searches }, raw.where, inputOnly);
}

function readTiers(members: Members, reading: RateReading): PriceVersion["above"] {
  const tiers = members.list("above").map(({ value, where }) => {
    const tier = new Members(value, where, ["prompt_tokens", "per_million"]);
    const promptTokens = tier.whole("prompt_tokens", TOKENS);
    return { promptTokens, rates: readRates(tier, reading) };
  });
  return tiers.toSorted((a, b) => a.promptTokens - b.promptTokens);
}

function readHours({ value, where }: { value: unknown; where: string }) {
  const [from, to] = Array.isArray(value) ? value : [];
  const fine = Number.isInteger(from) && Number.isInteger(to) && from >= 0 && to <= 24 && from < to;
  if (fine) return { from: from as number, to: to as number };
  throw new ConfigError(`${where} must be two hours such as [1, 4].`);
}

function readWindow(
  members: Members,
  version: Omit<PriceVersion, "rates" | "above">,
  reading: RateReading,
): PriceWindow {
  const weekdays = members.list("weekdays").map(({ value, where }) => {
    if (typeof value === "number" && value >= 0 && value <= 6) return value;
    throw new ConfigError(`${where} must be a day from 0, a Sunday, to 6.`);
  });
  return {
    hoursUtc: members.list("hours_utc").map(readHours),
    weekdays,
    price: {
      ...version,
      version: `${version.version}/${members.text("name")}`,
      rates: readRates(members, reading),
      above: readTiers(members, reading),
    },
  };
}

const PRICE_MEMBERS = [
  "version",
  "effective_from",
  "effective_to",
  "checked_at",
  "source",
  "per_million",
  "web_search_per_thousand",
  "above",
  "windows",
];
const WINDOW_MEMBERS = ["name", "hours_utc", "weekdays", "per_million", "above"];

function readPrice(value: unknown, where: string, inputOnly: boolean): ListedPrice {
  const members = new Members(value, where, PRICE_MEMBERS);
  const reading = {
    search: members.decimal("web_search_per_thousand", PRICE_DOLLARS_MAX),
    inputOnly,
  };
  const version = {
    version: members.text("version"),
    effectiveFromMs:
      members.moment("effective_from") ?? members.fail("effective_from", "is missing."),
  };
  return {
    ...version,
    effectiveToMs: members.moment("effective_to"),
    checkedAt: members.text("checked_at"),
    source: members.text("source"),
    rates: readRates(members, reading),
    above: readTiers(members, reading),
    windows: members
      .list("windows")
      .map((window) =>
        readWindow(new Members(window.value, window.where, WINDOW_MEMBERS), version, reading),
      ),
  };
}

/** The model at these prices. A search that has no price is not offered. */
export function atPrices(model: Model, prices: readonly ListedPrice[]): Model {
  const priced = prices.length > 0 && prices.every(({ rates }) => rates.webSearch > 0n);
  const webSearch = priced && model.capabilities.includes("web_search");
  const capabilities = model.capabilities.filter((name) => webSearch || name !== "web_search");
  const newestFirst = prices.toSorted((a, b) => b.effectiveFromMs - a.effectiveFromMs);
  return { ...model, capabilities, webSearch, prices: newestFirst };
}

const MODEL_MEMBERS = [
  "id",
  "display_name",
  "aliases",
  "owned_by",
  "endpoints",
  "context",
  "max_output",
  "modalities",
  "capabilities",
  "rules",
  "token_family",
  "upstream",
  "released",
  "deprecates_on",
  "replacement",
  "fallbacks",
  "prices",
];

function readModalities(members: Members): Model["modalities"] {
  const modalities = members.object("modalities", ["input", "output"]);
  return {
    input: modalities?.words("input", MODALITIES) ?? ["text"],
    output: modalities?.words("output", MODALITIES) ?? ["text"],
  };
}

/** One row of the shipped catalogue. A row that would be free, in any bucket, is refused. */
export function readModel(raw: unknown, row: string): Model {
  const id = new Members(raw, row, undefined).text("id");
  const members = new Members(raw, `${row} (${id})`, MODEL_MEMBERS);
  const endpoints = members.words("endpoints", ENDPOINTS) ?? [];
  if (endpoints.length === 0) members.fail("endpoints", "is missing; name one at least.");
  const inputOnly = readsOnly(endpoints);
  const prices = members
    .list("prices")
    .map(({ value, where }) => readPrice(value, where, inputOnly));
  if (prices.length === 0) members.fail("prices", "is missing; a model without one is free.");
  const model: Model = {
    id,
    displayName: members.text("display_name"),
    aliases: members.texts("aliases") ?? [],
    ownedBy: members.text("owned_by"),
    endpoints,
    context: members.whole("context", TOKENS),
    maxOutput: members.whole("max_output", TOKENS),
    modalities: readModalities(members),
    capabilities: members.words("capabilities", CAPABILITIES) ?? [],
    rules: members.words("rules", RULE_NAMES) ?? [],
    tokenFamily: members.oneOf("token_family", TOKEN_FAMILY_NAMES) ?? "unknown",
    upstream: members.textMap("upstream"),
    releasedMs: members.moment("released"),
    deprecatesOn: members.optionalText("deprecates_on"),
    replacement: members.optionalText("replacement"),
    fallbacks: members.texts("fallbacks") ?? [],
    free: false,
    webSearch: false,
    prices: [],
  };
  return atPrices(model, prices);
}
