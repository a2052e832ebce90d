import {
  type Catalogue,
  type ListedPrice,
  type Model,
  type PriceVersion,
  priceAt,
} from "./models.ts";
import { formatPer, type PicoUsd, type Rates } from "./money.ts";

/** Decimal dollars per million tokens; searches per thousand. */
interface RateTexts {
  readonly input: string;
  readonly cache_read: string;
  readonly cache_write: string;
  readonly cache_write_long: string;
  readonly output: string;
  /** Absent where searches are not offered. */
  readonly web_search_per_thousand?: string;
}

type RateName = keyof RateTexts;

/** Unit prices in the words of a price list. */
function rateTexts(rates: Rates): RateTexts {
  const perMillion = (pico: PicoUsd) => formatPer(pico, 1_000_000);
  return {
    input: perMillion(rates.input),
    cache_read: perMillion(rates.cacheRead),
    cache_write: perMillion(rates.cacheWrite),
    cache_write_long: perMillion(rates.cacheWriteLong),
    output: perMillion(rates.output),
    ...(rates.webSearch > 0n ? { web_search_per_thousand: formatPer(rates.webSearch, 1_000) } : {}),
  };
}

function tierTexts({ above }: PriceVersion) {
  return above.map(({ promptTokens, rates }) => ({
    prompt_tokens: promptTokens,
    ...rateTexts(rates),
  }));
}

/** One price of a model as people read it. */
export function priceTexts(price: ListedPrice) {
  return {
    version: price.version,
    effective_from: new Date(price.effectiveFromMs).toISOString(),
    effective_to:
      price.effectiveToMs === undefined ? null : new Date(price.effectiveToMs).toISOString(),
    source: price.source,
    checked_at: price.checkedAt ?? null,
    ...rateTexts(price.rates),
    above: tierTexts(price),
    windows: price.windows.map((window) => ({
      hours_utc: window.hoursUtc.map(({ from, to }): [number, number] => [from, to]),
      weekdays: window.weekdays,
      version: window.price.version,
      ...rateTexts(window.price.rates),
      above: tierTexts(window.price),
    })),
  };
}

interface RateChange {
  readonly rate: RateName;
  /** Null where there was, or will be, no such price. */
  readonly old: string | null;
  readonly new: string | null;
  /** How much dearer, in percent with two digits; null where it cannot be said. */
  readonly percent: string | null;
}

export interface PriceChange {
  readonly model: string;
  readonly old_version: string | null;
  readonly new_version: string | null;
  readonly effective_from: string;
  readonly changes: readonly RateChange[];
}

/** Hundredths of a percent, cut towards zero; whole numbers all the way. */
function percentText(old: PicoUsd, next: PicoUsd): string | null {
  if (old === 0n) return null;
  const hundredths = ((next - old) * 10_000n) / old;
  const size = hundredths < 0n ? -hundredths : hundredths;
  const sign = next < old ? "-" : "";
  return `${sign}${size / 100n}.${(size % 100n).toString().padStart(2, "0")}`;
}

const RATE_FIELDS: Readonly<Record<RateName, keyof Rates>> = {
  input: "input",
  cache_read: "cacheRead",
  cache_write: "cacheWrite",
  cache_write_long: "cacheWriteLong",
  output: "output",
  web_search_per_thousand: "webSearch",
};

function rateChanges(old: Rates | undefined, next: Rates | undefined): RateChange[] {
  const oldTexts = old && rateTexts(old);
  const nextTexts = next && rateTexts(next);
  return Object.entries(RATE_FIELDS).flatMap(([name, field]): RateChange[] => {
    const rate = name as RateName;
    const [was, is] = [oldTexts?.[rate] ?? null, nextTexts?.[rate] ?? null];
    if (was === is) return [];
    const percent =
      was === null || is === null || !old || !next ? null : percentText(old[field], next[field]);
    return [{ rate, old: was, new: is, percent }];
  });
}

function sameTiers(old: PriceVersion | undefined, next: PriceVersion | undefined): boolean {
  const texts = (price: PriceVersion | undefined) => JSON.stringify(price ? tierTexts(price) : []);
  return texts(old) === texts(next);
}

/** What of a model's price will be another one at a moment; undefined where nothing is. */
function priceChange(
  old: Model | undefined,
  next: Model | undefined,
  atMs: number,
): PriceChange | undefined {
  const [was, is] = [old && priceAt(old, atMs), next && priceAt(next, atMs)];
  const changes = rateChanges(was?.rates, is?.rates);
  if (changes.length === 0 && sameTiers(was, is)) return undefined;
  return {
    model: next?.id ?? old?.id ?? "",
    old_version: was?.version ?? null,
    new_version: is?.version ?? null,
    effective_from: new Date(atMs).toISOString(),
    changes,
  };
}

/** The models that cost something else in the one catalogue than in the other, at a moment. */
export function priceChanges(old: Catalogue, next: Catalogue, atMs: number): PriceChange[] {
  const ids = new Set([...old.all(), ...next.all()].map(({ id }) => id));
  return [...ids].flatMap((id) => priceChange(old.find(id), next.find(id), atMs) ?? []);
}
