// The pages in front of the console: signing in and up, links from mails and from the start.
import type { Page } from "playwright-core";
import { type Fixtures, refusal } from "../../web/fixtures/fixture.ts";
import type { Scene } from "./scene.ts";

const signedOut: Fixtures = {
  "GET /api/me": () => refusal(401, "invalid_api_key", "Sign in first."),
};

async function signIn(page: Page, password: string): Promise<void> {
  await page.locator("input[type=email]").fill("ada@example.com");
  await page.locator("input[type=password]").fill(password);
  await page.locator("button[type=submit]").click();
}

const SCENES_OF_DOOR: readonly Omit<Scene, "fixtures">[] = [
  {
    name: "sign-in",
    path: "/sign-in",
    says: ({ auth }) => [auth.signInTitle, auth.passkey, "Example SSO"],
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
    says: ({ auth }) => [auth.welcomeTitle, auth.welcomeAction],
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
  fixtures: signedOut,
}));
