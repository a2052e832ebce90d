import { decimal, get } from "../../lib/contract.ts";
import * as z from "../../lib/schemas.ts";
import { zoneParameter } from "./days.ts";
import { requestRow } from "./requests.ts";

const day = z.strictObject({
  day: z.string(),
  cost: decimal,
  requests: z.int(),
  failures: z.int(),
});

const overview = z
  .strictObject({
    balance: decimal,
    overdraft: decimal.describe(
      "How far the balance may go below zero. Both together can be spent.",
    ),
    held: decimal,
    credited: decimal,
    charged: decimal,
    runway_days: z.number().nullable().describe("Null before the first whole day with spend."),
    spend_today: decimal,
    spend_month: decimal,
    requests_today: z.int(),
    errors_today: z.int(),
    time_zone: z.string(),
    series: z.array(day).readonly(),
    first_key: z.boolean().describe("Whether the account has made its first key."),
    last_requests: z.array(requestRow).readonly(),
  })
  .meta({ id: "Overview" });

export type Overview = z.output<typeof overview>;

export const SHOW_OVERVIEW = get(
  "/api/accounts/:account/overview",
  "Shows balance, overdraft, sums and the last 30 days.",
  { query: z.object({ tz: zoneParameter }), answer: overview },
);
