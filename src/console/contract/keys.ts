import { budget } from "../../accounts/contract/budget.ts";
import { type BudgetTerms, budgetsProblem } from "../../accounts/keys/budget.ts";
import { BUDGET_PERIODS, zoneName } from "../../accounts/keys/budget-window.ts";
import { EXPIRY_YEAR_MAX, endsTooLate } from "../../accounts/keys/expiry.ts";
import { parseUsd } from "../../catalogue/money.ts";
import {
  decimal,
  get,
  instant,
  listOf,
  PAGE,
  patch,
  post,
  remove,
  textParameter,
} from "../../lib/contract.ts";
import { isRange } from "../../lib/net/networks.ts";
import * as z from "../../lib/schemas.ts";

const NAME_CHARS_MAX = 100;
const MODELS_MAX = 500;
const NETWORKS_MAX = 100;
const COUNT_MAX = 1_000_000_000;
const CONCURRENCY_MAX = 100_000;

const OVERLAP_SECONDS_DEFAULT = 86_400;
const OVERLAP_SECONDS_MAX = 30 * 86_400;
const OVERLAP_WORDS = `Write a whole number of seconds from 0 to ${OVERLAP_SECONDS_MAX}.`;

/** What nobody sees, or what turns the text around it. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/u;

const name = z
  .string("Give the key a name.")
  .trim()
  .min(1, "Give the key a name.")
  .max(NAME_CHARS_MAX, `A name has at most ${NAME_CHARS_MAX} characters.`)
  .refine((text) => !UNSEEN.test(text), "A name has no invisible characters.");

const amount = z.string("Write an amount such as 12.50.").transform((text, context) => {
  const nano = parseUsd(text.trim());
  if (nano !== undefined && nano > 0n) return nano;
  context.addIssue("An amount is more than 0 and at most 1,000,000 dollars, such as 12.50.");
  return z.NEVER;
});

const timeZone = z
  .string("Write the name of a time zone such as Europe/Berlin.")
  .transform((text, context) => {
    const known = zoneName(text);
    if (known !== undefined) return known;
    context.addIssue("This is not the name of a time zone; write one such as Europe/Berlin.");
    return z.NEVER;
  });

const newBudget = z
  .strictObject({
    amount,
    period: z.enum(BUDGET_PERIODS, `A period is one of ${BUDGET_PERIODS.join(", ")}.`),
    time_zone: timeZone.optional(),
  })
  .transform(({ time_zone: timeZone = "UTC", ...terms }): BudgetTerms => ({ ...terms, timeZone }));

const newBudgets = z
  .array(newBudget, "Write a list of budgets.")
  .superRefine((list, context) => {
    const problem = budgetsProblem(list);
    if (problem) {
      context.addIssue({ code: "custom", message: problem.message, path: [problem.index] });
    }
  })
  .readonly();

const networks = z
  .array(
    z.string().refine(isRange, "Write an address or a range such as 10.0.0.0/8."),
    "Write a list of networks.",
  )
  .max(NETWORKS_MAX, `A key has at most ${NETWORKS_MAX} networks.`)
  .readonly()
  .nullable();

/** A limit, or null for none. */
function limit(max: number) {
  const message = `Write a whole number from 1 to ${max}, or leave it out for no limit.`;
  return z.int(message).min(1, message).max(max, message).nullable();
}

const flag = z.boolean("Write true or false.");

const expiry = z.iso
  .datetime({ offset: true, error: "Write a time such as 2027-01-31T12:00:00Z." })
  .refine(
    (text) => !endsTooLate(Date.parse(text)),
    `Choose a year before ${EXPIRY_YEAR_MAX}, or leave it out.`,
  )
  .nullable();

const models = z
  .array(z.string(), "Write a list of models.")
  .max(MODELS_MAX, `A key has at most ${MODELS_MAX} models.`)
  .readonly()
  .nullable();

const settings = {
  budgets: newBudgets.optional(),
  models: models.optional(),
  networks: networks.optional(),
  rpm: limit(COUNT_MAX).optional(),
  tpm: limit(COUNT_MAX).optional(),
  concurrency: limit(CONCURRENCY_MAX).optional(),
  expires_at: expiry.optional(),
  hard: flag.optional(),
  account_read: flag.optional(),
  show_cost: flag.optional(),
};

const keyBody = z.strictObject({ name: name.optional(), enabled: flag.optional(), ...settings });

const key = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    last_four: z.string(),
    enabled: z.boolean(),
    created_at: instant,
    last_used_at: instant.nullable(),
    expires_at: instant.nullable(),
    deleted_at: instant
      .nullable()
      .describe("A deleted key is still shown, but cannot be used or changed."),
    models: z.array(z.string()).readonly().nullable(),
    networks: z.array(z.string()).readonly().nullable(),
    rpm: z.int().nullable(),
    tpm: z.int().nullable(),
    concurrency: z.int().nullable(),
    hard: z.boolean(),
    account_read: z.boolean(),
    show_cost: z.boolean(),
    budgets: z.array(budget).readonly(),
    used_total: decimal,
    held: decimal,
    former_secrets: z
      .array(z.strictObject({ last_four: z.string(), ends_at: instant }))
      .readonly()
      .describe("Former secrets that still work."),
  })
  .meta({ id: "Key" });

const createdKey = key
  .extend({ secret: z.string().describe("Told this once.") })
  .meta({ id: "CreatedKey" });

export type Budget = z.output<typeof budget>;
export type Key = z.output<typeof key>;
export type CreatedKey = z.output<typeof createdKey>;
export type NewBudget = z.input<typeof newBudget>;
export type KeyBody = z.input<typeof keyBody>;
/** As the server reads them. */
export type ReadKeyBody = z.output<typeof keyBody>;

const KEYS = "/api/accounts/:account/keys";
const KEY = `${KEYS}/:id`;

export const LIST_KEYS = get(KEYS, "Lists keys.", {
  query: z.object({ ...PAGE, sort: textParameter.optional(), q: textParameter.optional() }),
  answer: listOf(key),
});
export const CREATE_KEY = post(KEYS, "Creates a key; only this answer has its secret.", {
  body: z.strictObject({ name, ...settings }),
  example: { name: "Production", budgets: [{ amount: "50", period: "month" }] },
  status: 201,
  answer: createdKey,
});
export const SHOW_KEY = get(KEY, "Shows a key with budgets and use.", { answer: key });
export const CHANGE_KEY = patch(KEY, "Changes the named members.", {
  body: keyBody,
  example: { rpm: 60, expires_at: null },
  answer: key,
});
export const DELETE_KEY = remove(KEY, "Deletes a key for good; receipts still name it.", {
  answer: key,
});
export const ROTATE_KEY = post(
  `${KEY}/rotate`,
  "Gives a key a new secret; the former one works on for a while.",
  {
    /** How long the secret of before works on: a day, unless it is said. */
    body: z.strictObject({
      overlap_seconds: z
        .int(OVERLAP_WORDS)
        .min(0, OVERLAP_WORDS)
        .max(OVERLAP_SECONDS_MAX, OVERLAP_WORDS)
        .default(OVERLAP_SECONDS_DEFAULT),
    }),
    example: { overlap_seconds: 3_600 },
    answer: createdKey,
  },
);
export const END_SECRETS = remove(`${KEY}/former-secrets`, "Ends the former secrets at once.", {
  answer: key,
});
