import { get, post } from "../../lib/contract.ts";
import * as z from "../../lib/schemas.ts";
import { SIGNUP_MODES } from "../settings.ts";

/** In a body and nowhere else: what stands in an address is in logs, histories and other sites' hands. */
export const linkToken = z.string().min(1, "The link has no token.").max(200);

export const personName = z
  .string()
  .trim()
  .min(1, "Write a name.")
  .max(100, "Write at most 100 characters.");

export const waysIn = {
  signup: z.enum(SIGNUP_MODES).describe("The sign-up mode."),
  providers: z.array(z.strictObject({ id: z.string(), name: z.string() })).readonly(),
  mail: z.boolean().describe("Whether the server can send mail."),
};
const signInOptions = z.strictObject(waysIn).meta({ id: "SignInOptions" });

/** Somebody who has just come in, by a link. */
export const newcomer = z
  .strictObject({
    user: z.strictObject({ id: z.string(), email: z.string(), name: z.string() }),
  })
  .meta({ id: "Newcomer" });

export type SignInOptions = z.output<typeof signInOptions>;

export const SHOW_SIGN_IN_OPTIONS = get("/api/sign-in-options", "Shows the ways to sign in.", {
  answer: signInOptions,
});
export const CONFIRM_SIGN_UP = post(
  "/api/sign-up/confirm",
  "Confirms a sign-up by its mailed link and password, and signs in.",
  {
    body: z.strictObject({
      token: z.string().min(1).max(200),
      password: z.string().min(1, "Write the password that you have chosen.").max(1_000),
    }),
    example: { token: "from-the-link", password: "correct horse battery staple" },
    answer: newcomer,
  },
);
