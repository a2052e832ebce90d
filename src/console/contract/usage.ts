import { choiceParameter, decimal, get, textParameter } from "../../lib/contract.ts";
import * as z from "../../lib/schemas.ts";
import { dayParameter, zoneParameter } from "./days.ts";

const GROUPINGS = ["day", "model", "key"] as const;
export type Grouping = (typeof GROUPINGS)[number];

const numbers = z
  .strictObject({
    requests: z.int(),
    failures: z.int(),
    input_tokens: z.int(),
    cached_tokens: z.int().describe("Input from the vendor's cache."),
    output_tokens: z.int(),
    cost: decimal,
  })
  .meta({ id: "UsageNumbers" });

const row = numbers
  .extend({
    day: z.string().optional(),
    model: z.string().optional(),
    key_id: z.string().optional(),
    key_name: z.string().optional(),
  })
  .meta({ id: "UsageRow" });

const usage = z
  .strictObject({
    by: z.enum(GROUPINGS),
    from: z.string(),
    to: z.string(),
    time_zone: z.string(),
    rows: z.array(row).readonly(),
    rows_left_out: z.int().describe("Rows that only the total and the file include."),
    total: numbers,
  })
  .meta({ id: "Usage" });

export type UsageNumbers = z.output<typeof numbers>;
export type UsageRow = z.output<typeof row>;
export type Usage = z.output<typeof usage>;

const USAGE = "/api/accounts/:account/usage";

const query = z.object({
  by: choiceParameter(GROUPINGS).default("day"),
  tz: zoneParameter,
  to: dayParameter("to").optional(),
  from: dayParameter("from").optional(),
  key: textParameter.optional(),
  model: textParameter.optional(),
});

export const SHOW_USAGE = get(
  USAGE,
  "Sums up requests by day, model or key; of 30 days by default.",
  { query, answer: usage },
);
export const SAVE_USAGE = get(`${USAGE}.csv`, "Downloads the sums.", {
  query,
  answer: { contentType: "text/csv" },
});
