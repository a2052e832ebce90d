import * as z from "../../lib/schemas.ts";
import { line } from "./form-line.ts";

/**
 * How a public account's token is had: by its AppSecret, from somebody else who keeps the one token
 * that there may be, or as a third-party platform that the account has authorised.
 */
export const CREDENTIALS = ["secret", "supplied", "component"] as const;
export type CredentialKind = (typeof CREDENTIALS)[number];

const URL_CHARS_MAX = 1_000;
const TOKEN_CHARS_MAX = 2_048;
const TICKET_CHARS_MAX = 1_000;

/** A bearer goes there, or the address itself is the secret; what stands behind a # goes nowhere. */
function isTokenUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return false;
  return url.username === "" && url.password === "" && !text.includes("#");
}

/** Name and password may stand in it; anything behind the host would be left unused. */
function isProxyUrl(text: string): boolean {
  const url = URL.parse(text);
  return url?.protocol === "http:" && url.pathname === "/" && !/[?#]/.test(text);
}

const proxyUrl = z.string("The proxy's address is a text.").max(URL_CHARS_MAX).refine(isProxyUrl, {
  error: "Write the proxy's address as http://name:password@host:port, without a path.",
});
const tokenUrl = z
  .string("The address of the tokens is a text.")
  .max(URL_CHARS_MAX)
  .refine(isTokenUrl, { error: "Write the address that gives tokens as https://…" });
const secret = (what: string) => line(what, TOKEN_CHARS_MAX);

export const NEW_ACCESS = {
  proxy_url: proxyUrl.optional(),
  credential: z.enum(CREDENTIALS, 'One of "secret", "supplied" and "component".').optional(),
  token_url: tokenUrl.optional(),
  token_bearer: secret("The bearer").optional(),
  component_appid: line("The component_appid").optional(),
  component_appsecret: line("The component_appsecret").optional(),
  component_verify_ticket: line("The ticket", TICKET_CHARS_MAX).optional(),
  authorizer_refresh_token: secret("The refresh token").optional(),
};

export const ACCESS_CHANGE = {
  proxy_url: proxyUrl.nullable().optional(),
  token_url: tokenUrl.nullable().optional(),
  token_bearer: secret("The bearer").nullable().optional(),
  component_appsecret: line("The component_appsecret").optional(),
  authorizer_refresh_token: secret("The refresh token").optional(),
};

/** A token that somebody else keeps, as the platform gave it to him. */
export const suppliedTokenForm = z.strictObject({
  access_token: secret("The access_token"),
  expires_in: z
    .number("expires_in is how many seconds the token still lasts.")
    .int("expires_in is a whole number of seconds.")
    .positive("expires_in is more than 0: a token that has ended is of no use."),
});

export const ticketForm = z.strictObject({
  component_verify_ticket: line("The ticket", TICKET_CHARS_MAX),
});
