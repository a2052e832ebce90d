import { OVERDRAFT_USD_MAX } from "../../../accounts/account.ts";
import { parseUsd } from "../../../catalogue/money.ts";
import { decimal, get, instant, listOf, PAGE, patch, post } from "../../../lib/contract.ts";
import * as z from "../../../lib/schemas.ts";

const NAME_CHARS_MAX = 100;
/** What is sought is cut here: no name is longer. */
const SOUGHT_CHARS_MAX = 100;

const name = z.string().trim().min(1, "Give it a name.").max(NAME_CHARS_MAX);
const hard = z.boolean().describe("Makes the budgets of all its keys hard. The balance always is.");
const overdraftForm = z.string("Write an amount such as 5.00.").transform((text, context) => {
  const nano = parseUsd(text.trim(), OVERDRAFT_USD_MAX);
  if (nano !== undefined) return nano;
  context.addIssue("An overdraft is from 0 to 100,000,000 dollars, such as 5.00.");
  return z.NEVER;
});

const accountForm = z.strictObject({
  name: name.optional(),
  enabled: z.boolean().optional(),
  hard: hard.optional(),
  overdraft: overdraftForm.optional(),
});

export const operatorAccount = z
  .strictObject({
    object: z.literal("account"),
    id: z.string(),
    name: z.string(),
    operator: z.boolean().describe("The operator's own account."),
    enabled: z.boolean(),
    hard,
    overdraft: decimal.describe("How far the balance may go below zero."),
    created_at: instant,
    balance: decimal,
    credited: decimal,
    charged: decimal,
    held: decimal,
    keys: z.int(),
  })
  .meta({ id: "OperatorAccount" });

export type OperatorAccount = z.output<typeof operatorAccount>;
/** As the server reads them. */
export type ReadAccountForm = z.output<typeof accountForm>;

const ACCOUNTS = "/api/operator/accounts";
const ACCOUNT = `${ACCOUNTS}/:account`;

export const LIST_ACCOUNTS = get(ACCOUNTS, "Lists accounts with balance and use, newest first.", {
  query: z.object({
    ...PAGE,
    q: z
      .string()
      .transform((text) => text.slice(0, SOUGHT_CHARS_MAX))
      .optional()
      .describe("A part of the name, or the id."),
  }),
  answer: listOf(operatorAccount),
});
export const CREATE_ACCOUNT = post(ACCOUNTS, "Creates an account.", {
  body: z.strictObject({
    name,
    hard: hard.default(false),
    overdraft: overdraftForm.optional(),
  }),
  example: { name: "Acme" },
  status: 201,
  answer: operatorAccount,
});
export const SHOW_ACCOUNT = get(ACCOUNT, "Shows one account with balance and use.", {
  answer: operatorAccount,
});
export const CHANGE_ACCOUNT = patch(ACCOUNT, "Changes the named members.", {
  body: accountForm,
  example: { enabled: false },
  answer: operatorAccount,
});
