import { generation } from "../../gateway/contract/generation.ts";
import { decimal, get, instant } from "../../lib/contract.ts";
import * as z from "../../lib/schemas.ts";
import { REQUESTS, requestStatus } from "./requests.ts";

const entry = z.strictObject({
  kind: z.enum(["hold", "post", "void", "correction"]),
  amount: decimal,
  created_at: instant,
});

const receipt = generation
  .extend({
    key_name: z.string(),
    outcome: requestStatus,
    entries: z.array(entry).readonly(),
    vendor_called: z.boolean().describe("Whether the request reached a vendor."),
    loss: decimal.optional().describe("This and the vendor's cost are for operators."),
    input_loss: decimal
      .optional()
      .describe("The part of the loss from input that the vendor counted beyond our bound."),
    vendor_cost: decimal.nullable().optional(),
  })
  .meta({ id: "RequestReceipt" });

export type Receipt = z.output<typeof receipt>;
export type ReceiptLine = Receipt["lines"][number];
export type ReceiptAttempt = Receipt["attempts"][number];
export type ReceiptEntry = Receipt["entries"][number];
export type ReceiptRefusal = NonNullable<Receipt["refusal"]>;

export const SHOW_REQUEST = get(`${REQUESTS}/:id`, "Shows the receipt of a request.", {
  answer: receipt,
});
