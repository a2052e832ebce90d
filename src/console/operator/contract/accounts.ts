import { decimal, get, instant, listOf, PAGE, patch, post } from "../../../lib/contract.ts";
import * as z from "../../../lib/schemas.ts";

const NAME_CHARS_MAX = 100;
/** What is sought is cut here: no name is longer. */
const SOUGHT_CHARS_MAX = 100;

const name = z.string().trim().min(1, "Give it a name.").max(NAME_CHARS_MAX);
const hard = z
  .boolean()
  .describe("Answers end where the balance does, so that nothing goes below zero.");

const accountWishes = z.strictObject({
  name: name.optional(),
  enabled: z.boolean().optional(),
  hard: hard.optional(),
});

export const operatorAccount = z
  .strictObject({
    object: z.literal("account"),
    id: z.string(),
    name: z.string(),
    operator: z.boolean().describe("The account of whoever runs the installation."),
    enabled: z.boolean(),
    hard,
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
export type ReadAccountWishes = z.output<typeof accountWishes>;

const ACCOUNTS = "/api/operator/accounts";
const ACCOUNT = `${ACCOUNTS}/:account`;

export const LIST_ACCOUNTS = get(
  ACCOUNTS,
  "The accounts with what they have and use, the newest first.",
  {
    query: z.object({
      ...PAGE,
      q: z
        .string()
        .transform((text) => text.slice(0, SOUGHT_CHARS_MAX))
        .optional()
        .describe("A part of the name, or the id."),
    }),
    answer: listOf(operatorAccount),
  },
);
export const CREATE_ACCOUNT = post(ACCOUNTS, "Creates an account, with nothing in it.", {
  body: z.strictObject({ name, hard: hard.default(false) }),
  example: { name: "Acme" },
  status: 201,
  answer: operatorAccount,
});
export const SHOW_ACCOUNT = get(ACCOUNT, "One account with what it has and uses.", {
  answer: operatorAccount,
});
export const CHANGE_ACCOUNT = patch(
  ACCOUNT,
  "Changes what is named, and leaves the rest as it is.",
  { body: accountWishes, example: { enabled: false }, answer: operatorAccount },
);
