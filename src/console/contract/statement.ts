import { decimal, get, instant, listOf, PAGE } from "../../lib/contract.ts";
import * as z from "../../lib/schemas.ts";
import { dayParameter } from "./days.ts";

const entry = z
  .strictObject({
    id: z.string(),
    created_at: instant,
    kind: z.string(),
    amount: decimal.describe("What it did to the balance."),
    note: z.string(),
    balance_after: decimal,
    ref: z.string().nullable(),
    day: z.string().optional().describe("The UTC day of a line of usage."),
  })
  .meta({ id: "StatementEntry" });

export type Entry = z.output<typeof entry>;

const ENTRIES = "/api/accounts/:account/entries";

export const LIST_ENTRIES = get(
  ENTRIES,
  "Shows the statement: every credit, and the cost of each day.",
  { query: z.object(PAGE), answer: listOf(entry) },
);
export const SAVE_ENTRIES = get(`${ENTRIES}.csv`, "Downloads the statement of some days (UTC).", {
  query: z.object({ from: dayParameter("from").optional(), to: dayParameter("to").optional() }),
  answer: { contentType: "text/csv" },
});
