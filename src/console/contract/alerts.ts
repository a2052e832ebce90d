import { parseUsd } from "../../catalogue/money.ts";
import { decimal, get, post, put } from "../../lib/contract.ts";
import * as z from "../../lib/schemas.ts";

const toggle = z.strictObject({ enabled: z.boolean() });

/** By these, operators hear of vendors in the operator's account: others who own it do not change them. */
export const OF_OPERATORS = ["vendor_down", "email", "webhook"] as const;

const amount = z.string().transform((text, context) => {
  const nano = parseUsd(text);
  if (nano !== undefined) return nano;
  context.addIssue("Write an amount in dollars, such as 5 or 12.50.");
  return z.NEVER;
});

const changes = z.strictObject({
  low_balance: z
    .strictObject({ enabled: z.boolean().optional(), threshold: amount.nullable().optional() })
    .optional(),
  budgets: toggle.optional(),
  spend_spike: toggle.optional(),
  model_deprecation: toggle.optional(),
  vendor_down: toggle.optional(),
  email: toggle.optional(),
  webhook: z
    .strictObject({
      url: z.string().optional().describe("Required if there is none yet."),
      enabled: z.boolean().optional().describe("A new one is on by default."),
      new_secret: z.boolean().default(false),
    })
    .nullable()
    .optional()
    .describe("Null removes it."),
});

const webhook = z.strictObject({
  url: z.string().describe("Viewers see only its origin."),
  enabled: z.boolean(),
  failures: z.int().describe("In a row; a success resets it."),
  last_error: z.string().nullable(),
  secret: z.string().optional().describe("Only in the answer that created it."),
});

const alerts = z
  .strictObject({
    object: z.literal("alerts"),
    low_balance: toggle.extend({
      threshold: decimal.nullable().describe("Null is a fifth of the last credit."),
    }),
    budgets: toggle,
    spend_spike: toggle,
    model_deprecation: toggle,
    vendor_down: toggle.describe("Concerns the operator's account alone."),
    email: toggle.extend({ configured: z.boolean().describe("Whether there is a mail server.") }),
    webhook: webhook.nullable(),
    operators_only: z
      .array(z.enum(OF_OPERATORS))
      .readonly()
      .describe("Members that only operators may change."),
  })
  .meta({ id: "Alerts" });

const test = z.strictObject({ ok: z.boolean(), error: z.string().nullable() });

export type Alerts = z.output<typeof alerts>;
export type Webhook = z.output<typeof webhook>;
export type AlertTest = z.output<typeof test>;
export type AlertChanges = z.input<typeof changes>;
/** As the server reads them. */
export type ReadAlertChanges = z.output<typeof changes>;

const ALERTS = "/api/accounts/:account/alerts";

export const SHOW_ALERTS = get(ALERTS, "Shows the settings of alerts.", { answer: alerts });
export const CHANGE_ALERTS = put(ALERTS, "Changes the named members.", {
  body: changes,
  example: { low_balance: { threshold: "12.50" }, webhook: { url: "https://example.com/hook" } },
  answer: alerts,
});
export const TEST_ALERTS = post(`${ALERTS}/test`, "Sends a test now, and says whether it worked.", {
  body: z.strictObject({ channel: z.enum(["email", "webhook"]) }),
  example: { channel: "webhook" },
  answer: test,
});
