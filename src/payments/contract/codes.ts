import { decimal, get, instant, listOf, PAGE, post } from "../../lib/contract.ts";
import * as z from "../../lib/schemas.ts";
import { CODE_STATES } from "../code.ts";
import { sentAmount } from "./orders.ts";
import { sentNote } from "./wallet.ts";

const CODE_CHARS_MAX = 100;
const CODES_PER_BATCH_MAX = 10_000;
const COUNT_WORDS = `Between 1 and ${CODES_PER_BATCH_MAX} codes.`;

const newBatch = z.strictObject({
  count: z.int(COUNT_WORDS).min(1, COUNT_WORDS).max(CODES_PER_BATCH_MAX, COUNT_WORDS),
  amount: sentAmount,
  expires_at: z.iso
    .datetime({ offset: true, error: "Write the time as 2027-01-31T00:00:00Z." })
    .nullable()
    .default(null),
  note: sentNote,
});

const batch = z
  .strictObject({
    id: z.string(),
    amount: decimal.describe("The amount of each code."),
    note: z.string(),
    count: z.int(),
    redeemed: z.int(),
    revoked: z.int(),
    outstanding: decimal.describe("The value of the unused codes."),
    expires_at: instant.nullable(),
    created_at: instant,
  })
  .meta({ id: "CodeBatch" });

const createdBatch = batch
  .extend({ codes: z.array(z.string()).readonly().describe("Told this once.") })
  .meta({ id: "CreatedBatch" });

const revokedBatch = batch.extend({ revoked_now: z.int() });

const code = z
  .strictObject({
    id: z.string(),
    last_four: z.string(),
    state: z.enum(CODE_STATES),
    redeemed_at: instant.nullable(),
    redeemed_by: z
      .strictObject({
        account_id: z.string(),
        account_name: z.string().nullable(),
        person: z.string().nullable().describe("Null in older records."),
      })
      .nullable(),
    revoked_at: instant.nullable(),
  })
  .meta({ id: "Code" });

const redeemed = z.strictObject({ id: z.string(), amount: decimal });

export type NewBatch = z.input<typeof newBatch>;
export type CodeBatch = z.output<typeof batch>;
export type CreatedBatch = z.output<typeof createdBatch>;
export type RevokedBatch = z.output<typeof revokedBatch>;
export type Code = z.output<typeof code>;
export type RedeemedCode = z.output<typeof redeemed>;

const BATCHES = "/api/operator/codes/batches";
const CSV = { contentType: "text/csv" };

export const REDEEM_CODE = post("/api/accounts/:account/codes/redeem", "Redeems a code.", {
  body: z.strictObject({ code: z.string("Write the code.").max(CODE_CHARS_MAX) }),
  example: { code: "FG-XXXXX-XXXXX-XXXXX-XXXXX" },
  answer: redeemed,
});
export const CREATE_BATCH = post(BATCHES, "Creates codes; only this answer has them.", {
  body: newBatch,
  example: { count: 10, amount: "5", expires_at: "2027-01-31T00:00:00Z", note: "Autumn fair" },
  status: 201,
  answer: createdBatch,
  file: CSV,
});
export const LIST_BATCHES = get(BATCHES, "Lists the batches of codes, newest first.", {
  query: z.object(PAGE),
  answer: listOf(batch),
});
export const EXPORT_BATCH = get(
  `${BATCHES}/:file`,
  "Downloads the codes of a batch: the file is its id and `.csv`.",
  {
    query: z.object({
      unused: z.string().optional().describe("If present, only unused codes."),
    }),
    answer: CSV,
  },
);
export const LIST_CODES = get(
  `${BATCHES}/:id/codes`,
  "Lists the codes of a batch and the people who redeemed them.",
  {
    query: z.object({
      ...PAGE,
      state: z.enum(CODE_STATES, `The state must be one of ${CODE_STATES.join(", ")}.`).optional(),
    }),
    answer: listOf(code),
  },
);
export const REVOKE_CODES = post(
  `${BATCHES}/:id/revoke`,
  "Revokes one unused code, or all of the batch.",
  {
    body: z.strictObject({
      code: z
        .string("Name the code by its id, or leave it out for all.")
        .max(CODE_CHARS_MAX)
        .optional(),
    }),
    example: {},
    answer: revokedBatch,
  },
);
