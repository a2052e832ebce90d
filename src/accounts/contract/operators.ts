import { get, instant, listOf, post, remove } from "../../lib/contract.ts";
import * as z from "../../lib/schemas.ts";
import { TOKEN_SCOPES } from "../people/person.ts";
import { removed } from "./members.ts";
import { linkToken, newcomer, personName } from "./sign-in.ts";

const openedLink = z.strictObject({
  first: z.boolean().describe("Whether the installation has no operator yet."),
});

const operatorToken = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    last_four: z.string(),
    created_by: z.string(),
    created_at: instant,
    last_used_at: instant.nullable(),
    expires_at: instant.nullable().describe("Null if it lasts until it is revoked."),
    scopes: z.array(z.enum(TOKEN_SCOPES)).readonly(),
    owner: z
      .strictObject({ id: z.string(), email: z.string().nullable() })
      .nullable()
      .describe("The operator who owns it; it ends with them."),
  })
  .meta({ id: "OperatorToken" });

const createdToken = operatorToken
  .extend({ secret: z.string().describe("Told this once.") })
  .meta({ id: "CreatedToken" });

export type OpenedLink = z.output<typeof openedLink>;
export type OperatorToken = z.output<typeof operatorToken>;
export type CreatedToken = z.output<typeof createdToken>;

const TOKENS = "/api/operator/tokens";
const LINK = "/api/operator-link";

export const OPEN_OPERATOR_LINK = post(
  `${LINK}/open`,
  "Checks an operator's link, and says whether it is the first.",
  {
    body: z.strictObject({ token: linkToken }),
    example: { token: "from-the-link" },
    answer: openedLink,
  },
);
export const BECOME_OPERATOR = post(
  LINK,
  "Creates an operator from an operator's link; the first one names the company.",
  {
    body: z.strictObject({
      token: linkToken,
      email: z.email("Write an e-mail address.").max(254),
      name: personName,
      password: z.string(),
      company: z
        .string()
        .trim()
        .min(1, "Write the name of your company or team.")
        .max(100, "Write at most 100 characters.")
        .optional(),
    }),
    example: {
      token: "from-the-link",
      email: "ada@example.com",
      name: "Ada",
      password: "correct horse battery staple",
    },
    answer: newcomer,
  },
);
export const LIST_TOKENS = get(TOKENS, "Lists operator tokens.", {
  answer: listOf(operatorToken),
});
export const CREATE_TOKEN = post(TOKENS, "Creates a token; only this answer has its secret.", {
  body: z.strictObject({
    name: personName,
    expires_at: z.iso
      .datetime({ offset: true, error: "Write a time such as 2027-01-31T12:00:00Z." })
      .nullable()
      .optional(),
    scopes: z
      .array(z.enum(TOKEN_SCOPES, `A scope is one of ${TOKEN_SCOPES.join(", ")}.`), "Write a list.")
      .min(1, "A token has at least one scope.")
      .readonly()
      .transform((scopes) => TOKEN_SCOPES.filter((scope) => scopes.includes(scope)))
      .optional(),
  }),
  example: { name: "Terraform", scopes: ["read", "write"] },
  answer: createdToken,
});
export const REVOKE_TOKEN = remove(`${TOKENS}/:id`, "Revokes a token.", { answer: removed });
