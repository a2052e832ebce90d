import { PRICE_DOLLARS_MAX } from "./dollars.ts";
import { Members } from "./members.ts";

const TOKENS = { min: 1, max: 100_000_000 };

export const RATE_NAMES = [
  "input",
  "output",
  "cache_read",
  "cache_write",
  "cache_write_long",
  "web_search_per_thousand",
] as const;

/** Those that can change with the size of a prompt: a search costs the same after a long one. */
export const TOKEN_RATE_NAMES = RATE_NAMES.filter((name) => name !== "web_search_per_thousand");

/** Dollars per million tokens, or per thousand searches, as decimals. */
export type RateTexts = { readonly [name in (typeof RATE_NAMES)[number]]?: string };

/** A model that the file adds, or what it changes of one that is shipped. */
export type ModelConfig = Readonly<ReturnType<typeof readModelConfig>>;

export function readRateTexts(members: Members): RateTexts {
  const rates: Record<string, string> = {};
  for (const name of RATE_NAMES) {
    const text = members.decimal(name, PRICE_DOLLARS_MAX);
    if (text !== undefined) rates[name] = text;
  }
  return rates;
}

function readPrice(members: Members) {
  const price = members.object("price", [...RATE_NAMES, "above", "effective_from"]);
  return (
    price && {
      where: price.where,
      rates: readRateTexts(price),
      above: price.list("above").map(({ value, where }) => {
        const tier = new Members(value, where, [...TOKEN_RATE_NAMES, "prompt_tokens"]);
        const promptTokens = tier.whole("prompt_tokens", TOKENS);
        return { where, promptTokens, rates: readRateTexts(tier) };
      }),
      /** Absent: always. */
      effectiveFromMs: price.moment("effective_from"),
    }
  );
}

const MODEL_MEMBERS = [
  "id",
  "owned_by",
  "context",
  "max_output",
  "endpoints",
  "capabilities",
  "rules",
  "upstream",
  "price",
  "free",
  "fallbacks",
];

export function readModelConfig(value: unknown, where: string) {
  const members = new Members(value, where, MODEL_MEMBERS);
  const model = {
    where,
    id: members.id(),
    ownedBy: members.optionalText("owned_by"),
    context: members.optionalWhole("context", TOKENS),
    maxOutput: members.optionalWhole("max_output", TOKENS),
    endpoints: members.texts("endpoints"),
    capabilities: members.texts("capabilities"),
    rules: members.texts("rules"),
    /** By vendor or by channel. */
    upstream: members.textMap("upstream"),
    price: readPrice(members),
    free: members.flag("free", false),
    fallbacks: members.texts("fallbacks"),
  };
  if (model.free && model.price) {
    members.fail("free", "is true, and there is a price; leave one of them out.");
  }
  return model;
}
