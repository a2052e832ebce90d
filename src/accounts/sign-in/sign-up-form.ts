import { APIError } from "better-auth/api";
import * as z from "../../lib/schemas.ts";

export const PASSWORD_CHARS_MIN = 10;
export const PASSWORD_CHARS_MAX = 128;
const NAME_CHARS_MAX = 100;
const EMAIL_CHARS_MAX = 254;

/** In the words and codes of the library, which pages know. */
function wrong(code: string, message: string): APIError {
  return new APIError("BAD_REQUEST", { code, message });
}

export function checkName(name: unknown): void {
  if (name === undefined) return;
  const good = typeof name === "string" && name.length <= NAME_CHARS_MAX && !/\p{Cc}/u.test(name);
  if (good) return;
  throw wrong(
    "INVALID_NAME",
    `A name has at most ${NAME_CHARS_MAX} characters, all of them printable.`,
  );
}

export interface SignUpForm {
  readonly email: string;
  readonly name: string;
  readonly password: string;
}

/** A sign-up as the library would take it, or its refusal. */
export function readSignUp(body: unknown): SignUpForm {
  const { email, name, password } = z
    .object({ email: z.unknown(), name: z.unknown(), password: z.unknown() })
    .catch({ email: undefined, name: undefined, password: undefined })
    .parse(body);
  const address = z.email().max(EMAIL_CHARS_MAX).safeParse(email);
  if (!address.success) throw wrong("INVALID_EMAIL", "Invalid email");
  if (typeof name !== "string") throw wrong("INVALID_NAME", "Write a name.");
  checkName(name);
  if (typeof password !== "string") throw wrong("INVALID_PASSWORD", "Invalid password");
  if (password.length < PASSWORD_CHARS_MIN) throw wrong("PASSWORD_TOO_SHORT", "Password too short");
  if (password.length > PASSWORD_CHARS_MAX) throw wrong("PASSWORD_TOO_LONG", "Password too long");
  return { email: address.data.toLowerCase(), name, password };
}
