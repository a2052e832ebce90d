import { budget } from "../../accounts/contract/budget.ts";
import { decimal, get, instant, post, told } from "../../lib/contract.ts";
import * as z from "../../lib/schemas.ts";
import { count, MODEL } from "./by-key.ts";

const CURRENCY = z.literal("usd");
const rate = (description: string) => told(z.int().nullable(), description, 60);
const day = (description: string) => told(z.string(), description, "2026-11-01").optional();

export const SHOW_OWN_KEY = get(
  "/v1/key",
  "Shows the calling key, what it used, and what it may still use.",
  {
    answer: z.strictObject({
      object: z.literal("key"),
      id: told(z.string(), "Not the secret.", "key_01jc8z4v"),
      name: told(z.string(), "As its maker called it.", "Production"),
      last_four: told(z.string(), "The last four characters of the secret.", "x7Qa"),
      currency: CURRENCY,
      limit: decimal
        .nullable()
        .describe("The limit of the budget with the least left; null without a budget."),
      used: decimal.describe("Used of that budget; without one, used in all."),
      remaining: decimal.nullable(),
      held: decimal.describe("For running requests."),
      budgets: z.array(budget).readonly(),
      hard: z
        .boolean()
        .describe("Whether no request passes its budgets; none ever passes the balance."),
      next_request_max: decimal
        .nullable()
        .describe(
          "The maximum cost of the next request; without account_read, by the key's budgets only.",
        ),
      models: told(z.array(z.string()).readonly().nullable(), "Null for all.", null),
      expires_at: instant.nullable(),
      rate_limits: z.strictObject({
        requests_per_minute: rate("Null for no limit."),
        tokens_per_minute: rate("Null for no limit."),
        concurrent_requests: rate("Null for no limit."),
      }),
    }),
  },
);

export const SHOW_CREDITS = get(
  "/v1/credits",
  "Shows the account's balance, for keys with account_read.",
  {
    answer: z.strictObject({
      object: z.literal("credits"),
      currency: CURRENCY,
      balance: decimal.describe("Credited less charged."),
      overdraft: decimal.describe(
        "How far the balance may go below zero. Both together, less what is held, are left.",
      ),
      credited: decimal,
      charged: decimal,
      held: decimal.describe("Held for running requests; part of the balance."),
    }),
  },
);

export const ESTIMATE = post(
  "/v1/estimate",
  "Estimates what a call costs and holds; takes the body of the call.",
  {
    body: z.looseObject({
      model: MODEL,
      input: told(z.unknown(), "The input of a response.").optional(),
      messages: told(z.unknown(), "The messages of a chat, in place of `input`.").optional(),
    }),
    example: { model: "sandbox-1.0", input: "Say hello." },
    answer: z.strictObject({
      object: z.literal("estimate"),
      model: told(z.string(), "The model that would be called first.", "sandbox-1.0"),
      input_tokens: count("Estimated.", 1_250),
      max_input_tokens: count("A bound that no vendor can pass.", 2_180),
      max_output_tokens: count("The maximum output.", 4_096),
      room_output_tokens: told(z.int().nullable(), "The output that `held` buys.", 4_096),
      typical_output_tokens: count("From this account's requests of 30 days.", 380),
      currency: CURRENCY,
      price_version: told(z.string(), "The price that would be charged.", "plan/2026-11-01"),
      worst_case: decimal.describe("The maximum cost of the call."),
      typical: decimal,
      typical_source: z.enum(["history", "default"]),
      admitted: z.boolean().describe("Whether it would be admitted now."),
      reason: z.enum(["budget_busy", "budget_exceeded"]).nullable(),
      held: decimal
        .nullable()
        .describe("The hold that it would get now; null if that would show the account's balance."),
    }),
  },
);

export const SHOW_SUBSCRIPTION = get(
  "/v1/dashboard/billing/subscription",
  "Shows what the key may spend, for older clients, in dollars.",
  {
    answer: z.strictObject({
      object: z.literal("billing_subscription"),
      has_payment_method: z.literal(true),
      soft_limit_usd: told(z.number(), "100,000,000 for no limit.", 50),
      hard_limit_usd: told(z.number(), "The same.", 50),
      system_hard_limit_usd: told(z.number(), "The same.", 50),
      access_until: count("In seconds since 1970.", 4_102_444_800),
    }),
  },
);

export const SHOW_BILLED_USAGE = get(
  "/v1/dashboard/billing/usage",
  "Shows what the key has spent, for older clients, in cents.",
  {
    query: z.object({
      start_date: day("The first day; 100 days ago, unless it is said."),
      end_date: day("The day behind the last."),
    }),
    answer: z.strictObject({
      object: z.literal("list"),
      total_usage: told(z.number(), "In cents.", 1_250),
      daily_costs: z.array(
        z.strictObject({
          timestamp: count("The day's beginning, in seconds since 1970.", 1_793_491_200),
          line_items: z.array(
            z.strictObject({
              name: told(z.string(), "The model.", "sandbox-1.0"),
              cost: told(z.number(), "In cents.", 1_250),
            }),
          ),
        }),
      ),
    }),
  },
);
