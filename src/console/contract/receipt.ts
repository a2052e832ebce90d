import { z } from "zod";
import { BUDGET_PERIODS } from "../../accounts/keys/budget-window.ts";
import { PRICE_ITEMS } from "../../catalogue/money.ts";
import { BLAMES } from "../../ledger/blame.ts";
import { USAGE_SOURCES } from "../../ledger/receipt.ts";
import { RATE_SCOPES } from "../../ledger/refusal.ts";
import { decimal, instant, operation } from "../../lib/contract.ts";
import { REQUEST_FACTS, REQUESTS, requestStatus } from "./requests.ts";

const line = z.strictObject({
  item: z.enum(PRICE_ITEMS),
  quantity: z.int(),
  unit_price: decimal.describe("Of one token or one search."),
  amount: decimal,
});

const attempt = z.strictObject({
  channel: z.string().nullable().describe("Only operators see it, and the credential."),
  credential: z.string().nullable(),
  model: z.string().nullable(),
  status: z.int().describe("0 when the vendor gave none."),
  code: z.string().nullable(),
  message: z.string().nullable().describe("The vendor's; some words are for operators only."),
  started_ms: z.int(),
  duration_ms: z.int(),
});

const entry = z.strictObject({
  kind: z.enum(["hold", "post", "void"]),
  amount: decimal,
  created_at: instant,
});

const refusal = z
  .strictObject({
    scope: z.enum(["balance", "budget", ...RATE_SCOPES]),
    period: z.enum(BUDGET_PERIODS).nullable(),
    used: decimal.nullable(),
    max: decimal.nullable(),
    left: decimal.nullable(),
    needed: decimal.nullable(),
    resets_at: instant.nullable(),
    fix: z.string().describe("What helps, as the client was told."),
  })
  .describe("Which limit refused it; null is what is not known. Of a rate the numbers are counts.");

const usage = z.strictObject({
  input_tokens: z.int(),
  fresh_input_tokens: z.int(),
  cache_read_tokens: z.int(),
  cache_write_tokens: z.int(),
  cache_write_long_tokens: z.int(),
  output_tokens: z.int(),
  reasoning_tokens: z.int(),
  total_tokens: z.int(),
  web_searches: z.int(),
  source: z.enum(USAGE_SOURCES),
  estimated: z.boolean().describe("Some of the counts are ours."),
  clamped: z.boolean().describe("The vendor said something that was not taken as it is."),
});

const receipt = z
  .strictObject({
    object: z.literal("generation"),
    ...REQUEST_FACTS,
    response_id: z.string().nullable(),
    status: z.int().describe("Of HTTP."),
    outcome: requestStatus,
    refusal: refusal.nullable(),
    blame: z.enum(BLAMES).nullable().describe("Whose doing it was that there is no answer."),
    channel: z.string().nullable(),
    attempts: z.array(attempt).readonly().describe("Empty when the first call to a vendor served."),
    vendor_request_id: z.string().nullable(),
    usage,
    currency: z.literal("usd"),
    price_version: z.string().nullable(),
    lines: z.array(line).readonly(),
    held: decimal,
    clamped_to: z.int().nullable().describe("The most output that the money held bought."),
    entries: z.array(entry).readonly(),
    loss: decimal.optional().describe("This and the vendor's cost are for operators."),
    vendor_cost: decimal.nullable().optional(),
  })
  .meta({ id: "RequestReceipt" });

export type Receipt = z.output<typeof receipt>;
export type ReceiptLine = z.output<typeof line>;
export type ReceiptAttempt = z.output<typeof attempt>;
export type ReceiptEntry = z.output<typeof entry>;
export type ReceiptRefusal = z.output<typeof refusal>;

export const SHOW_REQUEST = operation({
  method: "GET",
  path: `${REQUESTS}/:id`,
  summary: "Why one request cost what it cost.",
  answer: receipt,
});
