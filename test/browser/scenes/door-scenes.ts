// The pages in front of the console: signing in and up, links from mails and from the start.
import type { Page } from "playwright-core";
import { type Fixtures, refusal } from "../../../web/fixtures/fixture.ts";
import { SIGN_IN_OPTIONS } from "../../../web/fixtures/session.ts";
import type { Scene } from "./scene.ts";

const signedOut: Fixtures = {
  "GET /api/me": () => refusal(401, "invalid_api_key", "Sign in first."),
};

async function signIn(page: Page, password: string): Promise<void> {
  await page.locator("input[type=email]").fill("ada@example.com");
  await page.locator("input[type=password]").fill(password);
  await page.locator("button[type=submit]").click();
}

async function formOf(page: Page): Promise<void> {
  await page.locator("button[type=submit]").waitFor();
}

const SCENES_OF_DOOR: readonly Scene[] = [
  {
    name: "sign-in",
    path: "/sign-in",
    says: ({ auth }) => [auth.signInTitle, auth.passkey, "Example SSO"],
  },
  {
    name: "sign-in-empty",
    path: "/sign-in",
    act: async (page) => {
      await page.locator("input[type=email]").fill("ada");
      await page.locator("input[type=email]").press("Enter");
    },
    says: ({ errors }) => [errors.badEmail, errors.required],
    aside: true,
  },
  {
    name: "sign-in-wrong",
    path: "/sign-in",
    act: async (page) => {
      await signIn(page, "wrong");
      await page.getByRole("alert").waitFor();
    },
    says: ({ errors }) => [errors.badSignIn],
    aside: true,
  },
  {
    name: "sign-in-refused",
    path: "/sign-in?error=SIGN_UP_REFUSED",
    says: ({ errors }) => [errors.signUpRefused],
    aside: true,
  },
  {
    name: "two-factor",
    path: "/sign-in",
    act: async (page) => {
      await signIn(page, "second factor");
      await page.locator("input[autocomplete=one-time-code]").waitFor();
    },
    says: ({ auth }) => [auth.totpTitle, auth.trust, auth.useBackup],
  },
  {
    name: "forgot",
    path: "/forgot-password",
    says: ({ auth }) => [auth.forgotTitle, auth.sendLink],
  },
  {
    name: "forgot-sent",
    path: "/forgot-password",
    act: async (page) => {
      await page.locator("input[type=email]").fill("ada@example.com");
      await page.locator("button[type=submit]").click();
      await page.locator("h1 + p strong").waitFor();
    },
    says: ({ auth }) => [auth.sentTitle, "ada@example.com"],
    aside: true,
  },
  {
    name: "reset",
    path: "/reset-password#t",
    says: ({ auth }) => [auth.resetTitle, auth.passwordHint],
  },
  {
    name: "welcome",
    path: "/welcome#t",
    act: formOf,
    says: ({ auth }) => [auth.welcomeTitle, auth.company, auth.welcomeAction],
  },
  {
    name: "welcome-next",
    path: "/welcome#next",
    act: formOf,
    says: ({ auth }) => [auth.linkTitle, auth.welcomeAction],
    aside: true,
  },
  {
    name: "welcome-gone",
    path: "/welcome#gone",
    act: async (page) => page.locator("h1 + p code").waitFor(),
    says: ({ auth }) => [auth.linkGone, "faregate operator link"],
  },
  {
    name: "forgot-no-mail",
    path: "/forgot-password",
    fixtures: { "GET /api/sign-in-options": () => ({ ...SIGN_IN_OPTIONS, mail: false }) },
    act: async (page) => page.locator("h1 + p code").waitFor(),
    says: ({ auth }) => [auth.forgotTitle, "faregate operator reset"],
  },
  {
    name: "sign-up-taken",
    path: "/sign-up",
    fixtures: { "POST /api/auth/sign-up/email": () => ({ token: null }) },
    act: async (page) => {
      await page.locator("input[autocomplete=name]").fill("Ada");
      await page.locator("input[type=email]").fill("ada@example.com");
      await page.locator("input[type=password]").fill("correct horse battery");
      await page.locator("button[type=submit]").click();
      await page.locator("h1 + p strong").waitFor();
    },
    says: ({ auth }) => [auth.takenTitle, "ada@example.com"],
    aside: true,
  },
  { name: "sign-up", path: "/sign-up", says: ({ auth }) => [auth.signUpTitle, auth.yourName] },
  {
    name: "sign-up-invited",
    path: "/invitation#t",
    act: async (page) => {
      await page.locator("a[href*='/sign-up']").click();
      await page.locator("input[readonly]").waitFor();
    },
    says: ({ auth }) => [auth.signUpTitle],
    aside: true,
  },
  {
    name: "invitation",
    path: "/invitation#t",
    says: ({ auth }) => ["Analytical Engines", "grace@example.com", auth.inviteSignIn],
  },
];

export const DOOR_SCENES: readonly Scene[] = SCENES_OF_DOOR.map((scene) => ({
  ...scene,
  fixtures: { ...scene.fixtures, ...signedOut },
}));
