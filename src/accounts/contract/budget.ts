import { decimal, instant, told } from "../../lib/contract.ts";
import * as z from "../../lib/schemas.ts";
import { BUDGET_PERIODS } from "../keys/budget-window.ts";

/** A budget of a key, with what is left of it at this moment. */
export const budget = z
  .strictObject({
    id: told(z.string(), "Does not change while the budget exists.", "bud_01jc8z"),
    amount: decimal,
    period: z.enum(BUDGET_PERIODS),
    time_zone: told(z.string(), "Where its periods begin.", "UTC"),
    used: decimal,
    held: decimal,
    resets_at: instant.nullable(),
  })
  .meta({ id: "Budget" });
