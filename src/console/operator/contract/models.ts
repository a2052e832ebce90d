import { CAPABILITIES, ENDPOINTS } from "../../../catalogue/abilities.ts";
import { RATE_NAMES } from "../../../config/models.ts";
import { decimal, get, instant, listOf, patch, post, put, remove } from "../../../lib/contract.ts";
import * as z from "../../../lib/schemas.ts";
import { ofFile, PREVIEW } from "./described.ts";

const ID_CHARS_MAX = 128;
const MOMENT_CHARS_MAX = 40;

const perMillion = ofFile("string", "Dollars per million tokens.");

/** The members of a price in the file, checked by its rules. */
const priceForm = z.looseObject({
  effective_from: z
    .string()
    .max(MOMENT_CHARS_MAX)
    .nullish()
    .describe("A future day or time in UTC; now by default."),
  input: perMillion,
  output: perMillion,
  cache_read: perMillion,
  cache_write: perMillion,
  cache_write_long: perMillion,
  web_search_per_thousand: ofFile("string", "Dollars per thousand searches."),
  above: ofFile("array", "Other rates, each with the `prompt_tokens` beyond which they hold."),
});

/** The members of a model in the file, checked by its rules. */
export const modelForm = z.looseObject({
  id: z.string().max(ID_CHARS_MAX).optional(),
  price: z
    .record(z.string(), z.unknown())
    .nullish()
    .describe("Its price from now on, by the names of a price in `faregate.yaml`."),
  owned_by: ofFile("string", "Shown in lists."),
  context: ofFile("integer", "Tokens of input and output together."),
  max_output: ofFile("integer", "Tokens that it can write."),
  endpoints: ofFile("array", `Of ${ENDPOINTS.join(", ")}.`),
  capabilities: ofFile("array", `Of ${CAPABILITIES.join(", ")}.`),
  rules: ofFile("array", "What its vendor takes otherwise than others do."),
  upstream: ofFile("object", "Its name by vendor or by channel."),
  free: ofFile("boolean", "`true` in the place of a price."),
  fallbacks: ofFile("array", "Our ids of what answers where every channel of this one fails."),
});

/** Dollars per million tokens. */
const rates = {
  input: decimal,
  output: decimal,
  cache_read: decimal,
  cache_write: decimal,
  cache_write_long: decimal,
  web_search_per_thousand: decimal
    .optional()
    .describe("Dollars per thousand; absent if searches are not offered."),
};

const tiers = z
  .array(z.strictObject({ prompt_tokens: z.int(), ...rates }))
  .readonly()
  .describe("The rates of the whole request once its prompt is longer.");

const priceWindow = z.strictObject({
  hours_utc: z.array(z.tuple([z.int(), z.int()])).readonly(),
  weekdays: z.array(z.int()).readonly().describe("From 0, a Sunday, to 6."),
  version: z.string(),
  ...rates,
  above: tiers,
});

const operatorPrice = z
  .strictObject({
    id: z.string().nullable().describe("Only prices of the console have one."),
    pending: z.boolean(),
    version: z.string(),
    effective_from: instant,
    effective_to: instant.nullable(),
    source: z.string(),
    checked_at: z.string().nullable(),
    ...rates,
    above: tiers,
    windows: z.array(priceWindow).readonly(),
  })
  .meta({ id: "OperatorPrice" });

const operatorModel = z
  .strictObject({
    object: z.literal("model"),
    id: z.string(),
    display_name: z.string(),
    owned_by: z.string(),
    origin: z.enum(["shipped", "faregate.yaml", "console"]),
    changed_here: z.boolean().describe("Whether the console changed something of it."),
    endpoints: z.array(z.enum(ENDPOINTS)).readonly(),
    context: z.int(),
    max_output: z.int().describe("0 for a model without output, such as embeddings."),
    capabilities: z.array(z.enum(CAPABILITIES)).readonly(),
    rules: z.array(z.string()).readonly(),
    upstream: z.record(z.string(), z.string()).describe("Its name by vendor or by channel."),
    fallbacks: z.array(z.string()).readonly(),
    deprecates_on: z.string().nullable(),
    replacement: z.string().nullable(),
    free: z.boolean(),
    channels: z.array(z.string()).readonly().describe("Those that serve it now."),
    price_version: z.string().nullable(),
    prices: z.array(operatorPrice).readonly().describe("The newest first."),
    problem: z.string().nullable().describe("Why not all settings of the console are in force."),
  })
  .meta({ id: "OperatorModel" });

const priceChange = z
  .strictObject({
    model: z.string(),
    old_version: z.string().nullable(),
    new_version: z.string().nullable(),
    effective_from: instant,
    changes: z
      .array(
        z.strictObject({
          rate: z.enum(RATE_NAMES),
          old: decimal.nullable(),
          new: decimal.nullable(),
          percent: z.string().nullable().describe("The difference in percent."),
        }),
      )
      .readonly(),
  })
  .meta({ id: "PriceChange" });

export const pricePreview = z
  .strictObject({ object: z.literal("price_preview"), data: z.array(priceChange).readonly() })
  .meta({ id: "PricePreview" });

export type Price = z.output<typeof operatorPrice>;
export type OperatorModel = z.output<typeof operatorModel>;
export type PriceChange = z.output<typeof priceChange>;
export type Rate = PriceChange["changes"][number]["rate"];
export type PricePreview = z.output<typeof pricePreview>;
/** As the server reads them. */
export type ReadPriceForm = z.output<typeof priceForm>;
export type ReadModelForm = z.output<typeof modelForm>;

const MODELS = "/api/operator/models";
const MODEL = `${MODELS}/:id`;

export const LIST_MODELS = get(MODELS, "Lists the catalogue in force, with all prices.", {
  answer: listOf(operatorModel),
});
export const CREATE_MODEL = post(MODELS, "Adds a model with its price.", {
  body: modelForm,
  example: {
    id: "team/model-1",
    owned_by: "acme",
    context: 128_000,
    max_output: 8_192,
    upstream: { vllm: "model-1" },
    price: { input: "1", output: "4" },
  },
  status: 201,
  answer: operatorModel,
});
export const SHOW_MODEL = get(MODEL, "Shows a model with its prices.", { answer: operatorModel });
export const CHANGE_MODEL = patch(
  MODEL,
  "Changes the named members except the price; null resets.",
  { body: modelForm, example: { max_output: 16_384, fallbacks: null }, answer: operatorModel },
);
export const RESET_MODEL = remove(
  MODEL,
  "Removes the console's changes of a model, or a model that it added.",
  { answer: z.strictObject({ object: z.literal("model"), id: z.string(), deleted: z.boolean() }) },
);
export const CHANGE_PRICE = put(`${MODEL}/price`, "Sets a price from now or from a later time.", {
  query: z.object(PREVIEW),
  body: priceForm,
  example: { input: "2.6", cache_read: "0.26", output: "15.6", effective_from: "2027-01-31" },
  answer: z.discriminatedUnion("object", [operatorModel, pricePreview]),
});
export const WITHDRAW_PRICE = remove(
  "/api/operator/prices/:id",
  "Withdraws a price that is not in force yet.",
  { answer: operatorModel },
);
