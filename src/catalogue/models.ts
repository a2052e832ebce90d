import type { ConfigFile } from "../config/file.ts";
import type { ModelRule } from "../protocols/wire.ts";
import type { CAPABILITIES, ENDPOINTS, MODALITIES } from "./abilities.ts";
import type { TokenFamilyName } from "./bounds/families.ts";
import shipped from "./catalogue.json" with { type: "json" };
import { costsNothing, dearerRates, type Rates } from "./money.ts";
import { overridden } from "./overrides.ts";
import { readModel } from "./read-model.ts";

/** Prices of a model from a date on. A request keeps the version it was admitted with. */
export interface PriceVersion {
  /** Names the version and, where prices go by the hour, the hours. */
  readonly version: string;
  readonly effectiveFromMs: number;
  readonly rates: Rates;
  /** Other rates for the whole request once the prompt passes a size, smallest first. */
  readonly above: readonly { readonly promptTokens: number; readonly rates: Rates }[];
}

/** Hours of some days of the week, in UTC, that have a price of their own. */
export interface PriceWindow {
  readonly hoursUtc: readonly { readonly from: number; readonly to: number }[];
  /** From 0, a Sunday, to 6. */
  readonly weekdays: readonly number[];
  readonly price: PriceVersion;
}

/** A price as a list has it: until when, at which hours, and who says so. */
export interface ListedPrice extends PriceVersion {
  /** The first moment at which it is not in force any more. */
  readonly effectiveToMs: number | undefined;
  readonly windows: readonly PriceWindow[];
  readonly checkedAt: string | undefined;
  readonly source: string;
}

export interface Model {
  readonly id: string;
  readonly displayName: string;
  /** Names that the vendor's own clients use. They are no identifiers on OpenAI's paths. */
  readonly aliases: readonly string[];
  readonly ownedBy: string;
  /** OpenAI's endpoints that offer it, and the only ones of its vendor's that know it. */
  readonly endpoints: readonly (typeof ENDPOINTS)[number][];
  readonly context: number;
  /** 0 for a model that only reads. */
  readonly maxOutput: number;
  readonly modalities: Readonly<Record<"input" | "output", readonly (typeof MODALITIES)[number][]>>;
  readonly capabilities: readonly (typeof CAPABILITIES)[number][];
  readonly rules: readonly ModelRule[];
  /** How its vendor counts what it reads, at most. */
  readonly tokenFamily: TokenFamilyName;
  /** The name each vendor, or each channel, knows the model by. */
  readonly upstream: Readonly<Record<string, string>>;
  readonly releasedMs: number | undefined;
  /** The day after which the vendor may stop serving it, and what it names instead. */
  readonly deprecatesOn: string | undefined;
  readonly replacement: string | undefined;
  /** Our ids of what answers instead when every channel of this model fails. */
  readonly fallbacks: readonly string[];
  /** Has a price of nothing, as somebody said that it shall; `isFreeAt` says when. */
  readonly free: boolean;
  /** Whether the vendor's searches have a price. Without one they are not offered. */
  readonly webSearch: boolean;
  /** Newest first. */
  readonly prices: readonly ListedPrice[];
}

function covers(window: PriceWindow, atMs: number): boolean {
  const moment = new Date(atMs);
  const hour = moment.getUTCHours();
  if (!window.weekdays.includes(moment.getUTCDay())) return false;
  return window.hoursUtc.some(({ from, to }) => from <= hour && hour < to);
}

/** The price in force at a moment. A model without one is not served, so that nothing is free by accident. */
export function priceAt(model: Model, atMs: number): PriceVersion | undefined {
  for (const listed of model.prices) {
    const { effectiveFromMs: from, effectiveToMs: to } = listed;
    if (from <= atMs && (to === undefined || atMs < to)) return atHour(listed, atMs);
  }
  return undefined;
}

function atHour(listed: ListedPrice, atMs: number): PriceVersion {
  for (const window of listed.windows) if (covers(window, atMs)) return window.price;
  return listed;
}

/** Whether it costs nothing at a moment, as somebody said that it shall. */
export function isFreeAt(model: Model, atMs: number): boolean {
  const priced = priceAt(model, atMs);
  return model.free && priced !== undefined && costsNothing(priced.rates);
}

/** The rates a prompt of this size pays. */
export function ratesFor(priced: PriceVersion, promptTokens: number): Rates {
  let { rates } = priced;
  for (const tier of priced.above) if (promptTokens > tier.promptTokens) rates = tier.rates;
  return rates;
}

/** The most that any prompt up to this size pays, rate by rate: a list may be cheaper for long ones. */
export function dearestRates(priced: PriceVersion, promptTokens: number): Rates {
  let dearest = priced.rates;
  for (const tier of priced.above) {
    if (promptTokens > tier.promptTokens) dearest = dearerRates(dearest, tier.rates);
  }
  return dearest;
}

/** What two spellings of one name have in common: case and hyphen-for-dot are the usual slips. */
function spelling(id: string): string {
  return id.toLowerCase().replace(/[^a-z0-9]+/g, "");
}

/** The listed id that someone who wrote `wanted` most likely meant. */
export function suggest(wanted: string, ids: Iterable<string>): string | undefined {
  const target = spelling(wanted);
  for (const id of ids) if (spelling(id) === target) return id;
  return undefined;
}

const DATED = /-\d{4}-\d{2}-\d{2}$/;

/**
 * What a list shows of the models that can be called. One identifier with a date is what clients
 * expect, so the embedded vendor's steps back where a vendor's own is listed.
 */
export function listed(models: readonly Model[]): Model[] {
  const isSandboxDated = ({ id, upstream }: Model) =>
    DATED.test(id) && upstream.sandbox !== undefined;
  const others = models.filter((model) => !isSandboxDated(model));
  return others.some(({ id }) => DATED.test(id)) ? others : [...models];
}

export class Catalogue {
  #models: ReadonlyMap<string, Model>;
  #aliases: ReadonlyMap<string, Model>;

  constructor(models: readonly Model[]) {
    this.#models = new Map(models.map((model) => [model.id, model]));
    this.#aliases = new Map(
      models.flatMap((model) => model.aliases.map((alias) => [alias, model] as const)),
    );
  }

  find(id: string): Model | undefined {
    return this.#models.get(id);
  }

  /** By a name that the vendor's own clients use. */
  findAlias(id: string): Model | undefined {
    return this.#aliases.get(id);
  }

  all(): IterableIterator<Model> {
    return this.#models.values();
  }

  /** The same with the models and prices of the operator's file; throws where they do not fit. */
  withOverrides(file: ConfigFile): Catalogue {
    return new Catalogue(overridden([...this.#models.values()], file));
  }

  /**
   * Has what the other has, from the next look on. A request that has looked keeps the model and the
   * price that it found.
   */
  become(other: Catalogue): void {
    this.#models = other.#models;
    this.#aliases = other.#aliases;
  }
}

let shippedModels: readonly Model[] | undefined;

/** Read once, since nobody changes a model: what a catalogue becomes are others in its place. */
export function shippedCatalogue(): Catalogue {
  const rows: readonly unknown[] = shipped.models;
  shippedModels ??= rows.map((row, index) => readModel(row, `catalogue.json: models[${index}]`));
  return new Catalogue(shippedModels);
}
