import { decimal, get, instant, listOf, momentParameter, PAGE } from "../../../lib/contract.ts";
import * as z from "../../../lib/schemas.ts";
import { operatorAccount } from "./accounts.ts";

/** Days or moments; the last day where nothing is said. */
const range = z.object({
  to: momentParameter.optional().describe("A day or a time; now by default."),
  from: momentParameter.optional().describe("One day before `to` by default."),
});

const verification = z
  .strictObject({
    object: z.literal("verification"),
    ok: z.boolean(),
    accounts: z.int(),
    keys: z.int(),
    entries: z.int(),
    receipts: z.int(),
    open_holds: z.int(),
    problems: z.array(z.string()).readonly().describe("The first of them."),
    problems_total: z.int(),
    at: instant,
    duration_ms: z.number(),
  })
  .meta({ id: "Verification" });

const hold = z
  .strictObject({
    object: z.literal("hold"),
    id: z.string().describe("The id of the request."),
    account_id: z.string(),
    account_name: z.string(),
    key_id: z.string(),
    amount: decimal,
    model: z.string(),
    channel: z.string(),
    endpoint: z.string(),
    stream: z.boolean(),
    created_at: instant,
  })
  .meta({ id: "Hold" });

/** What was looked at. */
const reached = {
  from: instant,
  to: instant,
  receipts: z.int(),
  since: instant.describe("Older rows were not checked."),
  whole: z.boolean().describe("Whether the whole time was covered."),
};

const marginLine = z
  .strictObject({
    channel: z.string().describe("Empty if no channel was reached."),
    requests: z.int(),
    failures: z.int(),
    charged: decimal,
    list_cost: decimal
      .nullable()
      .describe(
        "The list price, if the model has a single one. Null if the list lacks the model, or has several prices for it by day, hour or size.",
      ),
    loss: decimal,
    overage: decimal,
    margin: decimal.nullable().describe("Charges with a list price, less list price and losses."),
    unpriced: decimal.describe(
      "Charges for models without a single list price; not in the margin.",
    ),
    unpriced_models: z.array(z.string()).readonly(),
  })
  .meta({ id: "MarginLine" });

const margin = listOf(marginLine).extend(reached).meta({ id: "Margin" });

const overageRequest = z.strictObject({
  request_id: z.string(),
  account_id: z.string(),
  account_name: z.string(),
  key_id: z.string(),
  model: z.string(),
  held: decimal,
  charged: decimal,
  overage: decimal,
  created_at: instant,
});

const overage = z
  .strictObject({
    object: z.literal("overage"),
    ...reached,
    total: decimal,
    requests: z.array(overageRequest).readonly().describe("The largest first."),
    accounts_below_zero: z.array(operatorAccount).readonly().describe("The deepest first."),
  })
  .meta({ id: "Overage" });

const inputLossDay = {
  day: z.string().describe("A day of UTC, such as 2026-11-15."),
  requests: z.int(),
  loss: decimal,
};
const channelInputLoss = z.strictObject({ channel: z.string(), ...inputLossDay });
const accountInputLoss = z.strictObject({
  account_id: z.string(),
  account_name: z.string(),
  ...inputLossDay,
});

const inputLosses = z
  .strictObject({
    object: z.literal("input_losses"),
    from: instant,
    to: instant,
    total: decimal,
    by_channel: z
      .array(channelInputLoss)
      .readonly()
      .describe("By day and channel: newest day first, then the largest."),
    by_account: z.array(accountInputLoss).readonly().describe("The same by day and account."),
  })
  .meta({ id: "InputLosses" });

export type InputLosses = z.output<typeof inputLosses>;
export type ChannelInputLoss = InputLosses["by_channel"][number];
export type AccountInputLoss = InputLosses["by_account"][number];
export type Verification = z.output<typeof verification>;
export type Hold = z.output<typeof hold>;
export type MarginLine = z.output<typeof marginLine>;
export type Margin = z.output<typeof margin>;
export type OverageRequest = z.output<typeof overageRequest>;
export type Overage = z.output<typeof overage>;
/** As the server reads it. */
export type ReadRange = z.output<typeof range>;

const LEDGER = "/api/operator/ledger";

export const VERIFY_LEDGER = get(
  `${LEDGER}/verify`,
  "Verifies every sum of the ledger; slow with many entries.",
  { answer: verification },
);
export const LIST_HOLDS = get(
  `${LEDGER}/holds`,
  "Lists the holds of running requests, newest first.",
  { query: z.object(PAGE), answer: listOf(hold) },
);
export const SHOW_OVERAGE = get(
  `${LEDGER}/overage`,
  "Shows charges beyond holds, and accounts below zero.",
  { query: range, answer: overage },
);
export const SHOW_INPUT_LOSSES = get(
  `${LEDGER}/input-losses`,
  "Shows input losses by day, channel and account.",
  { query: range, answer: inputLosses },
);
export const SHOW_MARGIN = get(`${LEDGER}/margin`, "Shows charge and margin by channel.", {
  query: range,
  answer: margin,
});
