import { CAPABILITIES, ENDPOINTS, MODALITIES } from "../../catalogue/abilities.ts";
import { decimal, get, instant, listOf } from "../../lib/contract.ts";
import * as z from "../../lib/schemas.ts";

const rates = z.strictObject({
  input: decimal.describe("This and the other prices: dollars per million tokens."),
  cache_read: decimal,
  cache_write: decimal,
  cache_write_long: decimal,
  output: decimal,
});

const above = z
  .array(rates.extend({ prompt_tokens: z.int() }))
  .readonly()
  .describe("The rates of the whole request once the prompt passes a size.");

const window = rates.extend({
  hours_utc: z.array(z.tuple([z.int(), z.int()]).readonly()).readonly(),
  weekdays: z.array(z.int()).readonly().describe("From 0, a Sunday, to 6."),
  above,
});

const price = rates
  .extend({
    version: z.string(),
    effective_from: instant,
    effective_to: instant.nullable(),
    web_search_per_thousand: decimal.nullable(),
    above,
    windows: z.array(window).readonly().describe("Hours that have a price of their own."),
  })
  .meta({ id: "ModelPrice" });

const modalities = z.array(z.enum(MODALITIES)).readonly();

const model = z
  .strictObject({
    id: z.string(),
    display_name: z.string(),
    owned_by: z.string(),
    context: z.int(),
    max_output: z.int().describe("0 for a model without output, such as embeddings."),
    endpoints: z.array(z.enum(ENDPOINTS)).readonly(),
    modalities: z.strictObject({ input: modalities, output: modalities }),
    capabilities: z.array(z.enum(CAPABILITIES)).readonly(),
    released_at: instant.nullable(),
    deprecates_on: z.string().nullable(),
    replacement: z.string().nullable(),
    free: z.boolean(),
    price: price.nullable().describe("The one in force."),
    upcoming: z.array(price).readonly().describe("Future prices, the next one first."),
  })
  .meta({ id: "Model" });

export type Rates = z.output<typeof rates>;
export type Price = z.output<typeof price>;
export type Model = z.output<typeof model>;

export const LIST_MODELS = get(
  "/api/accounts/:account/models",
  "Lists the models that can be called, with prices.",
  { answer: listOf(model) },
);
