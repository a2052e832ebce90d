// The states of pages that pictures are taken of and checks run over.
import type { Page } from "playwright-core";
import { type Fixtures, refusal } from "../../web/fixtures/fixture.ts";
import { TEST_WALLET } from "../../web/fixtures/wallet.ts";
import type { Look } from "./chromium.ts";
import { OPERATOR_SCENES } from "./operator-scenes.ts";
import { USAGE_SCENES } from "./usage-scenes.ts";

export interface Scene {
  readonly name: string;
  readonly path: string;
  /** What to do before the picture. */
  readonly act?: (page: Page) => Promise<void>;
  readonly fixtures?: Fixtures;
  /** Only some looks, where all of them would show the same. */
  readonly looks?: (look: Look) => boolean;
}

const signedOut: Fixtures = {
  "GET /api/me": () => refusal(401, "invalid_api_key", "Sign in first."),
};

const testWallet: Fixtures = { "GET /api/accounts/:account/wallet": () => TEST_WALLET };

async function say(page: Page): Promise<void> {
  await page.locator("main input[type=password]").fill("sk-fg-example");
  await page.locator("main form textarea").fill("What does a hold protect from?");
  await page.locator("main form button[type=submit]").click();
}

export const SCENES: readonly Scene[] = [
  { name: "sign-in", path: "/sign-in", fixtures: signedOut },
  {
    name: "sign-in-wrong",
    path: "/sign-in",
    fixtures: signedOut,
    act: async (page) => {
      await page.locator("input[type=email]").fill("ada@example.com");
      await page.locator("input[type=password]").fill("wrong");
      await page.locator("button[type=submit]").click();
      await page.getByRole("alert").waitFor();
    },
  },
  {
    name: "two-factor",
    path: "/sign-in",
    fixtures: signedOut,
    act: async (page) => {
      await page.locator("input[type=email]").fill("ada@example.com");
      await page.locator("input[type=password]").fill("second factor");
      await page.locator("button[type=submit]").click();
      await page.locator("input[autocomplete=one-time-code]").waitFor();
    },
  },
  { name: "forgot", path: "/forgot-password", fixtures: signedOut },
  { name: "reset", path: "/reset-password?token=t", fixtures: signedOut },
  { name: "welcome", path: "/welcome#t", fixtures: signedOut },
  { name: "sign-up", path: "/sign-up", fixtures: signedOut },
  { name: "invitation", path: "/invitations/t", fixtures: signedOut },
  { name: "missing", path: "/no/such/page" },
  { name: "keys", path: "/keys" },
  {
    name: "keys-empty",
    path: "/keys",
    fixtures: {
      "GET /api/accounts/:account/keys": () => ({ object: "list", data: [], next: null }),
    },
  },
  {
    name: "key-new",
    path: "/keys?new=1",
    act: async (page) => {
      await page.getByRole("dialog").waitFor();
      await page.locator("summary").click();
    },
  },
  {
    name: "key-secret",
    path: "/keys?new=1",
    act: async (page) => {
      await page.getByRole("dialog").locator("input").first().fill("New app");
      await page.getByRole("dialog").locator("button[type=submit]").click();
      await page.locator("output").waitFor();
    },
  },
  { name: "key", path: "/keys/key_8fK2mQ4x" },
  {
    name: "user-menu",
    path: "/keys",
    looks: ({ width }) => width === "desktop",
    act: async (page) => {
      await page.locator("aside button[aria-haspopup=menu]").last().click();
      await page.getByRole("menu").waitFor();
    },
  },
  {
    name: "phone-menu",
    path: "/keys",
    looks: ({ width }) => width === "phone",
    act: async (page) => {
      await page.locator("header.sticky button").last().click();
      await page.getByRole("dialog").waitFor();
    },
  },
  {
    name: "palette",
    path: "/keys",
    act: async (page) => {
      await page.keyboard.press("Control+k");
      await page.getByRole("listbox").waitFor();
    },
  },
  ...USAGE_SCENES,
  ...OPERATOR_SCENES,
  { name: "wallet", path: "/wallet" },
  { name: "wallet-payments", path: "/wallet?tab=payments&order=ord_1BvN5tGh&outcome=paid" },
  { name: "wallet-auto", path: "/wallet?tab=auto" },
  { name: "wallet-alerts", path: "/wallet?tab=alerts" },
  {
    name: "wallet-topup",
    path: "/wallet?dialog=topup",
    act: (page) => page.getByRole("dialog").waitFor(),
  },
  {
    name: "wallet-test-pay",
    path: "/wallet?dialog=topup",
    fixtures: testWallet,
    act: async (page) => {
      await page.getByRole("dialog").locator("button[type=submit]").click();
      await page.getByText("ord_5QwE7rTy").waitFor();
    },
  },
  {
    name: "wallet-redeem",
    path: "/wallet?dialog=redeem",
    act: async (page) => {
      await page.getByRole("dialog").locator("input").fill("nonsense");
      await page.getByRole("dialog").locator("button[type=submit]").click();
      await page.getByRole("dialog").locator("[data-invalid]").first().waitFor();
    },
  },
  {
    name: "wallet-refund",
    path: "/wallet?dialog=refund",
    act: (page) => page.getByRole("dialog").waitFor(),
  },
  { name: "models", path: "/models" },
  { name: "models-none", path: "/models?q=nothing-like-it" },
  {
    name: "model",
    path: "/models?model=gpt-5.6",
    act: (page) => page.getByRole("dialog").waitFor(),
  },
  { name: "playground", path: "/playground" },
  {
    name: "playground-answer",
    path: "/playground?model=gpt-5.6",
    act: async (page) => {
      await say(page);
      await page.locator("[data-cost=receipt]").waitFor();
    },
  },
  {
    name: "playground-refused",
    path: "/playground?model=gpt-5.6",
    fixtures: {
      "POST /v1/responses": () => refusal(401, "invalid_api_key", "There is no such key."),
    },
    act: async (page) => {
      await say(page);
      await page.getByRole("alert").waitFor();
    },
  },
  { name: "team", path: "/team" },
  {
    name: "team-invite",
    path: "/team?invite=1",
    act: (page) => page.getByRole("dialog").waitFor(),
  },
  { name: "settings", path: "/settings" },
  { name: "settings-security", path: "/settings?tab=security" },
  {
    name: "settings-totp",
    path: "/settings?tab=security",
    act: async (page) => {
      await page.locator("main section").nth(1).getByRole("button").first().click();
      await page.getByRole("dialog").locator("input").fill("a good password");
      await page.getByRole("dialog").locator("button[type=submit]").click();
      await page.getByRole("dialog").locator("svg[role=img]").waitFor();
    },
  },
  {
    name: "settings-stale",
    path: "/settings?tab=security",
    fixtures: {
      "GET /api/auth/list-sessions": () =>
        Response.json({ code: "SESSION_NOT_FRESH", message: "Sign in again." }, { status: 403 }),
      "GET /api/auth/passkey/list-user-passkeys": () => [],
    },
  },
  { name: "operator-accounts", path: "/operator/accounts" },
  {
    name: "operator-accounts-credit",
    path: "/operator/accounts",
    act: async (page) => {
      await page.locator("tbody button[aria-haspopup=menu]").first().click();
      await page.getByRole("menuitem").first().click();
      await page.getByRole("dialog").waitFor();
    },
  },
  { name: "audit", path: "/operator/audit" },
  {
    name: "audit-record",
    path: "/operator/audit",
    act: async (page) => {
      await page.locator("tbody button").first().click();
      await page.getByRole("dialog").waitFor();
    },
  },
  { name: "system", path: "/operator/system" },
  { name: "codes", path: "/operator/codes" },
  {
    name: "codes-made",
    path: "/operator/codes?new=1",
    act: async (page) => {
      await page.getByRole("dialog").locator("input").nth(1).fill("5");
      await page.getByRole("dialog").locator("button[type=submit]").click();
      await page.getByRole("dialog").locator("textarea").waitFor();
    },
  },
];
