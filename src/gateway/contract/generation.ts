import { BUDGET_PERIODS } from "../../accounts/keys/budget-window.ts";
import { PRICE_ITEMS } from "../../catalogue/money.ts";
import { ATTRIBUTIONS } from "../../ledger/fault-attribution.ts";
import { BILLING_REASONS, USAGE_SOURCES } from "../../ledger/receipt.ts";
import { RATE_SCOPES } from "../../ledger/refusal.ts";
import { decimal, get, instant, told } from "../../lib/contract.ts";
import * as z from "../../lib/schemas.ts";
import { count } from "./by-key.ts";

const orNull = (description: string) => told(z.string().nullable(), description, null);
const ms = (description: string, example = 412) => told(z.int(), description, example);

const attempt = z.strictObject({
  channel: orNull("Where it was tried; for operators, in the console."),
  credential: orNull("The end of the vendor's key; for operators, in the console."),
  model: orNull("Where it was another than was asked for."),
  status: count("The vendor's status; 0 if it gave none.", 503),
  code: orNull("Why it did not serve."),
  message: orNull("What the vendor said, where it is about the request."),
  started_ms: ms("Since the request came.", 2),
  duration_ms: ms("How long it took.", 410),
});

const refusal = z.strictObject({
  scope: z.enum(["budget", "balance", ...RATE_SCOPES]),
  period: told(z.enum(BUDGET_PERIODS).nullable(), "The period of the budget.", null),
  used: decimal
    .nullable()
    .describe(
      "Dollars, or counts for a rate limit. A balance is shown only to keys with account_read.",
    ),
  max: decimal.nullable(),
  left: decimal.nullable(),
  needed: decimal.nullable(),
  resets_at: instant.nullable(),
  fix: told(z.string(), "What helps.", "Raise the budget."),
});

const usage = z.strictObject({
  input_tokens: count("All that was read.", 11),
  fresh_input_tokens: count("Input that was neither read from nor written to a cache.", 11),
  cache_read_tokens: count("Read from a cache.", 0),
  cache_write_tokens: count("Written to a cache.", 0),
  cache_write_long_tokens: count("Written to a cache that keeps them for longer.", 0),
  output_tokens: count("Reasoning included.", 2),
  reasoning_tokens: count("Reasoning tokens, a part of the output.", 0),
  total_tokens: count("Read and written.", 13),
  web_searches: count("Made by the vendor.", 0),
  source: z.enum(USAGE_SOURCES).describe("The source of the counts."),
  estimated: z.boolean().describe("Whether some counts are our estimates."),
  clamped: z.boolean().describe("Whether a count of the vendor was corrected."),
  input_capped: z
    .boolean()
    .describe("Whether the vendor counted more input than our bound; the rest is not charged."),
});

const line = z.strictObject({
  item: told(z.enum(PRICE_ITEMS), "What was charged for.", "output"),
  quantity: count("Tokens or searches.", 2),
  unit_price: decimal.describe("The price of one unit."),
  amount: decimal,
});

export const generation = z
  .strictObject({
    object: z.literal("generation"),
    id: told(z.string(), "The id of the request.", "req_01jc8z4v"),
    response_id: told(z.string().nullable(), "The id of the answer.", "resp_01jc8z4v"),
    created_at: instant,
    endpoint: told(z.string(), "The wire of the call.", "responses"),
    model: told(z.string(), "As requested.", "sandbox-1.0"),
    stream: z.boolean(),
    status: count("The HTTP status.", 200),
    error_code: orNull("The code of the error, if there was one."),
    refusal: told(refusal.nullable(), "Which limit refused it.", null),
    billing_reason: z.enum(BILLING_REASONS).describe("Why the charge is what it is."),
    blame: told(z.enum(ATTRIBUTIONS).nullable(), "The party at fault if there is no answer.", null),
    key_id: told(z.string(), "The id of the key.", "key_01jc8z4v"),
    channel: orNull("The channel that served it; for operators only, in the console."),
    served_model: orNull("The model that answered, where it was a fallback."),
    attempts: told(z.array(attempt).readonly(), "Empty if the first call answered.", []),
    vendor_request_id: orNull("The vendor's own id of it; for operators, in the console."),
    usage,
    currency: z.literal("usd"),
    price_version: told(z.string().nullable(), "The price that was charged.", "plan/2026-11-01"),
    lines: z.array(line).readonly(),
    cost: decimal,
    held: decimal.nullable().describe("The amount that was held, for keys with account_read."),
    clamped_to: told(
      z.int().nullable(),
      "The output that the vendor was asked for, if the held money bought no more; for keys with account_read.",
      null,
    ),
    first_byte_ms: ms("Until the answer began.").nullable(),
    duration_ms: ms("Until it had ended."),
    requests: count(
      "The number of requests on this receipt; refusals within a minute share one.",
      1,
    ),
    last_at: instant.nullable().describe("When the last of them came."),
  })
  .meta({ id: "Generation" });

export const SHOW_GENERATION = get("/v1/generation", "Shows the receipt of a request.", {
  query: z.object({
    id: told(z.string(), "The id of the request, or of its answer.", "req_01jc8z4v"),
  }),
  answer: generation,
});
