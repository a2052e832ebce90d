// A body of JSON need not be an object. Whatever it is, no route takes it for a bug of its own.
import { expect, test } from "bun:test";
import { bodyOf } from "../support/browser.ts";
import { isFull } from "../support/counts.ts";
import { perFile } from "../support/houses/house.ts";
import { wholeConsole } from "../support/houses/whole-console.ts";

const OTHERS = ["[]", "1", '"text"', "true", "[null]", '{"email":null}'];
/** What the route at this place of the list is sent: null, and two of the others in turn, or all of them. */
const bodiesFor = (place: number) =>
  isFull
    ? ["null", ...OTHERS]
    : ["null", ...[0, 1].map((by) => OTHERS[(2 * place + by) % 6] ?? "")];

const house = await perFile((parts) =>
  wholeConsole(parts, {
    FAREGATE_STRIPE_SECRET_KEY: "sk_test_x",
    FAREGATE_STRIPE_WEBHOOK_SECRET: "whsec_x",
    FAREGATE_PLATFORM_TEST_CONTROLS: "on",
  }),
);
const operator = await house.operator("op@example.com");
const account = await house.account(operator, "of nobody");
const key = await bodyOf(
  operator.post(`/api/accounts/${account}/keys`, { name: "k", account_read: true }),
);

let operators = 0;
const newOperator = () => house.operator(`op${++operators}@example.com`);

let ofSignIn = await newOperator();
/** Somebody whose session is there: some of the paths of the sign-in end the one that they are called with. */
async function signedIn() {
  if ((await ofSignIn.get("/api/me")).status !== 200) ofSignIn = await newOperator();
  return ofSignIn;
}

/** Paths of the sign-in library, which has one route for all of them. */
const OF_SIGN_IN = [
  ...["sign-in/email", "sign-up/email", "sign-in/social", "sign-out", "request-password-reset"],
  ...["reset-password", "change-password", "update-user"],
  ...["revoke-session", "revoke-sessions", "revoke-other-sessions", "verify-password"],
  ...["two-factor/enable", "two-factor/disable", "two-factor/verify-totp"],
  ...["two-factor/verify-backup-code", "two-factor/generate-backup-codes"],
  ...["passkey/verify-registration", "passkey/verify-authentication", "passkey/delete-passkey"],
].map((path) => ({ method: "POST", path: `/api/auth/${path}` }));

const pathOf = (path: string) =>
  path.replace(":account", account).replace(/:\w+/g, "nothing").replace("*", "nothing");

const takers = [...house.served, ...OF_SIGN_IN].filter(({ method }) =>
  ["POST", "PUT", "PATCH", "DELETE"].includes(method),
);

test.each(takers.map(({ method, path }, place) => [method, path, place] as const))(
  "%s %s",
  async (method, path, place) => {
    const caller = path.startsWith("/api/auth/") ? await signedIn() : operator;
    const cookie = [...caller.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    for (const body of bodiesFor(place)) {
      const isConsole = path.startsWith("/api/") || path.startsWith("/metrics");
      const response = await fetch(house.url + pathOf(path), {
        method,
        headers: {
          "content-type": "application/json",
          ...(isConsole
            ? { cookie, origin: house.url, "x-faregate-csrf": "1" }
            : { authorization: `Bearer ${key.secret}` }),
        },
        body,
        redirect: "manual",
      });
      await response.text();
      expect([body, response.status]).not.toEqual([body, 500]);
    }
  },
);

test("every kind of route is among them", () => {
  expect(takers.length).toBeGreaterThan(80);
});
