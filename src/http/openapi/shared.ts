// What the calls have in common: how a caller is known, and how errors look.
import type { Credential, Operation } from "../../lib/contract.ts";
import type { Json } from "./components.ts";

export const FAULT_WORDS = "An error. Nothing was done, unless it says otherwise.";

export const FAULT_HEADERS: Json = {
  "x-request-id": { description: "The id of the request.", schema: { type: "string" } },
  "retry-after": {
    description: "Seconds after which to try again, if that helps.",
    schema: { type: "string" },
  },
};

export const SECURITY_SCHEMES: Readonly<Record<Credential, Json>> = {
  key: {
    type: "http",
    scheme: "bearer",
    description:
      "A key of an account (`sk-fg-…`), as the console or `faregate key create` makes it.",
  },
  anthropicKey: {
    type: "apiKey",
    in: "header",
    name: "x-api-key",
    description: "The same key, as Anthropic's clients send it.",
  },
  googleKey: {
    type: "apiKey",
    in: "header",
    name: "x-goog-api-key",
    description: "The same key, as Google's clients send it; they may put it into `?key=` too.",
  },
  operatorToken: {
    type: "http",
    scheme: "bearer",
    description: "A token of an operator (`ot-fg-…`), for programs; it may do what its scopes say.",
  },
  session: {
    type: "apiKey",
    in: "cookie",
    name: "faregate.session_token",
    description:
      "The cookie of somebody who is signed in to the console; it is `__Secure-faregate.session_token` where the " +
      "console is served by HTTPS. Changes need the header `x-faregate-csrf: 1` beside it.",
  },
  platformToken: {
    type: "apiKey",
    in: "query",
    name: "access_token",
    description: "A token of a public account, from `/cgi-bin/token` or `/cgi-bin/stable_token`.",
  },
};

const BY_PATH: readonly (readonly [RegExp, readonly Credential[]])[] = [
  [/^\/(?:v1|v1beta|mcp)(?:\/|$)/, ["key"]],
  [/^\/(?:platform\/)?(?:cgi-bin|channels)\//, ["platformToken"]],
  // The ways in.
  [/^\/api\/(?:sign-in-options|sign-up\/|operator-link|invitations\/)/, []],
  [/^/, ["session", "operatorToken"]],
];

export function credentialsOf({ path, credentials }: Operation): readonly Credential[] {
  return credentials ?? BY_PATH.find(([pattern]) => pattern.test(path))?.[1] ?? [];
}
