// The other ways into the console, in real Chromium on a real server: a passkey, a provider of
// identities, and an invitation where nobody else may sign up.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { isFull } from "../support/counts.ts";
import { startOidcProvider } from "../support/outside/oidc-provider.ts";
import { CHINESE, ENGLISH, type Look, launchChromium } from "./chromium.ts";
import * as steps from "./steps/people-steps.ts";
import {
  addressOf,
  becomeOperator,
  COMPANY,
  joinWalk,
  OPERATOR_NAME,
  say,
  see,
  startWalk,
  type Walker,
} from "./steps/walker.ts";

/**
 * Every test goes one way in both languages. Where there is little time only the passkey does, in one: only a browser
 * has any, and the other ways are walked without one in src/accounts.
 */
const languages = (own?: Look) => (isFull ? [ENGLISH, CHINESE] : own ? [own] : []);

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser.close());

const walkers: Walker[] = [];
afterEach(async () => {
  for (const walker of walkers.splice(0).reverse()) await walker.end();
});

async function start(look: Look, settings: Record<string, string> = {}): Promise<Walker> {
  const walker = await startWalk(browser, look, settings);
  walkers.push(walker);
  return walker;
}

async function join({ server, look }: Walker): Promise<Walker> {
  const walker = await joinWalk(browser, look, server);
  walkers.push(walker);
  return walker;
}

/** A security key that is always there and always touched. */
async function plugInKey({ page }: Walker): Promise<() => Promise<number>> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  const { authenticatorId } = await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return async () => {
    const { credentials } = await devtools.send("WebAuthn.getCredentials", { authenticatorId });
    return credentials.length;
  };
}

describe("a passkey", () => {
  test.each(languages(ENGLISH))(
    "is saved in the settings and signs in without a password: $language",
    async (look) => {
      const walker = await start(look);
      const { page, words } = walker;
      const credentials = await plugInKey(walker);
      await becomeOperator(walker);
      await steps.addPasskey(walker);
      expect(await credentials()).toBe(1);
      await steps.signOut(walker, { name: OPERATOR_NAME });
      await page.getByRole("button", { name: words.auth.passkey }).click();
      // The address was that of the keys before the door stood in the way.
      await see(walker, words.keys.title);
      expect(walker.complaints).toEqual([]);
    },
  );
});

describe("a provider of identities", () => {
  let provider: Awaited<ReturnType<typeof startOidcProvider>>;
  beforeEach(async () => {
    provider = await startOidcProvider();
  });
  afterEach(() => provider.stop());

  const settings = () => ({
    FAREGATE_OIDC_ACME_ISSUER: provider.issuer,
    FAREGATE_OIDC_ACME_CLIENT_ID: "client-of-faregate",
    FAREGATE_OIDC_ACME_CLIENT_SECRET: "secret",
    FAREGATE_OIDC_ACME_LABEL: "Acme Inc.",
  });

  async function comeThrough(walker: Walker): Promise<void> {
    const { page, words } = walker;
    await page.goto(addressOf(walker, "/team"));
    await page.getByRole("button", { name: say(words.auth.with, { name: "Acme Inc." }) }).click();
  }

  test.each(languages())(
    "brings in who was invited, and refuses who was not in words: $language",
    async (look) => {
      const operator = await start(look, settings());
      await becomeOperator(operator);
      const guest = await join(operator);
      const { email, name } = steps.GUEST;
      provider.person = { sub: "7", email, email_verified: true, name };

      await comeThrough(guest);
      const refusal = guest.page.getByRole("alert");
      await refusal.getByText(guest.words.errors.signUpRefused).waitFor();
      await guest.page.waitForURL(({ pathname }) => pathname === "/console/sign-in");

      await steps.inviteViewer(operator, steps.GUEST);
      await comeThrough(guest);
      await see(guest, guest.words.team.title);
      await guest.page.getByRole("table").getByText(email).waitFor();
      expect([...operator.complaints, ...guest.complaints]).toEqual([]);
    },
  );

  test.each(languages())(
    "leads back with words where its answer belongs to no question: $language",
    async (look) => {
      const walker = await start(look, settings());
      const path = "/api/auth/callback/acme?code=c&state=made-up";
      const stray = new URL(path, addressOf(walker, "/"));
      await walker.page.goto(stray.href);
      await walker.page.getByText(walker.words.errors.providerFailed).waitFor();
    },
  );
});

test.each(languages())(
  "an invitation lets in somebody new where nobody else may sign up: $language",
  async (look) => {
    const operator = await start(look);
    await becomeOperator(operator);
    const guest = await join(operator);
    await guest.page.goto(addressOf(guest, "/sign-up"));
    await guest.page.getByText(guest.words.auth.inviteOnly).waitFor();
    const link = await steps.inviteViewer(operator, steps.GUEST);
    await steps.acceptInvitation(guest, link, COMPANY);
    expect(guest.complaints).toEqual([]);
  },
);
