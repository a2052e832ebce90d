import { decimal, get, patch } from "../../lib/contract.ts";
import * as z from "../../lib/schemas.ts";
import { role } from "./members.ts";
import { personName, waysIn } from "./sign-in.ts";

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

const language = z.enum(["en", "zh"]).nullable();
const theme = z.enum(["light", "dark", "system"]).nullable();

const accountSummary = z
  .strictObject({ id: z.string(), name: z.string(), role, balance: decimal })
  .meta({ id: "AccountSummary" });

const person = z
  .strictObject({
    id: z.string(),
    email: z.string(),
    email_verified: z.boolean(),
    name: z.string(),
    two_factor: z.boolean(),
    language: language.describe("Null: as the browser says."),
    theme,
    time_zone: z.string().nullable(),
  })
  .meta({ id: "Person" });

const me = z
  .strictObject({
    user: person.nullable().describe("Null for a token."),
    operator: z.boolean().describe("Runs this installation."),
    accounts: z.array(accountSummary).readonly(),
    ...waysIn,
    public_url: z.string(),
    display_currency: z
      .strictObject({ code: z.string(), rate: z.string() })
      .nullable()
      .describe("A second currency for amounts, and its rate per dollar."),
    test_payment: z.boolean(),
  })
  .meta({ id: "Me" });

const ownChanges = z.strictObject({
  name: personName.optional(),
  language: language.optional(),
  theme: theme.optional(),
  time_zone: z
    .string()
    .max(64)
    .refine(isTimeZone, "Write a time zone such as Europe/Berlin.")
    .nullable()
    .optional(),
});

export type AccountSummary = z.output<typeof accountSummary>;
export type Person = z.output<typeof person>;
export type Me = z.output<typeof me>;
/** As pages are told it: behind the cookie of a session there is a person. */
export type OwnMe = Me & { readonly user: Person };
export type OwnChanges = z.output<typeof ownChanges>;

export const SHOW_ME = get("/api/me", "Shows the caller, with memberships and preferences.", {
  answer: me,
});
export const CHANGE_ME = patch(
  "/api/me",
  "Changes the caller's name and preferences; null follows the browser.",
  { body: ownChanges, example: { language: "en", time_zone: "Europe/Berlin" }, answer: me },
);
