// How the console behaves under hands: keyboard, menus, the door, forms.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { type Fixtures, refusal } from "../../web/fixtures/fixture.ts";
import { SESSION_FIXTURES } from "../../web/fixtures/session.ts";
import { ENGLISH, type Look, launchChromium, openPage } from "./chromium.ts";
import { startFixtureServer } from "./fixture-server.ts";

const PHONE: Look = { ...ENGLISH, width: "phone" };

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser.close());

async function visit(
  path: string,
  walk: (page: Page) => Promise<void>,
  { look = ENGLISH, fixtures = {} }: { look?: Look; fixtures?: Fixtures } = {},
): Promise<void> {
  const server = startFixtureServer(fixtures);
  const { page, context } = await openPage(browser, look);
  try {
    await page.goto(`${server.url}/console${path}`);
    await walk(page);
  } finally {
    await context.close();
    await server.stop();
  }
}

const heading = (page: Page) => page.getByRole("heading", { level: 1 });
const pathOf = (page: Page) => new URL(page.url()).pathname + new URL(page.url()).search;

describe("the keyboard", () => {
  test("opens the palette, finds a page and goes there", () =>
    visit("/keys", async (page) => {
      await heading(page).waitFor();
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox").waitFor();
      await page.keyboard.type("wal");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { level: 1, name: "Wallet" }).waitFor();
      expect(pathOf(page)).toBe("/console/wallet");
    }));

  test("closes with Esc what it opened, and gives the page back", () =>
    visit("/keys", async (page) => {
      await heading(page).waitFor();
      await page.keyboard.press("/");
      await page.getByRole("combobox").waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("combobox").waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Create key" }).first().click();
      await page.getByRole("dialog").waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      expect(pathOf(page)).toBe("/console/keys");
    }));
});

describe("the menus", () => {
  test("change language and theme at once, and both outlive a reload", () =>
    visit("/keys", async (page) => {
      await page.getByRole("button", { name: "Ada Lovelace" }).click();
      await page.getByRole("menuitemradio", { name: "简体中文" }).click();
      await page.getByRole("heading", { level: 1, name: "密钥" }).waitFor();
      await page.getByRole("menuitemradio", { name: "深色" }).click();
      await page.reload();
      await page.getByRole("heading", { level: 1, name: "密钥" }).waitFor();
      expect(await page.evaluate("document.documentElement.dataset.theme")).toBe("dark");
    }));

  test("of a phone opens, and closes where it leads to", () =>
    visit(
      "/keys",
      async (page) => {
        await page.getByRole("button", { name: "Menu" }).click();
        await page.getByRole("dialog").getByRole("link", { name: "Usage" }).click();
        await page.waitForURL("**/console/usage");
        await page.getByRole("dialog").waitFor({ state: "detached" });
      },
      { look: PHONE },
    ));
});

/** A visitor who is let in by one password. */
function door(): Fixtures {
  let inside = false;
  const me = SESSION_FIXTURES["GET /api/me"];
  return {
    "GET /api/me": (call) => (inside ? me?.(call) : refusal(401, "invalid_api_key", "Sign in.")),
    "POST /api/auth/sign-in/email": () => {
      inside = true;
      return { user: {} };
    },
  };
}

async function signIn(page: Page): Promise<void> {
  await page.getByLabel("E-mail").fill("ada@example.com");
  await page.getByLabel("Password").fill("right");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

describe("the door", () => {
  test("lets nobody in without a session, and leads back to where they wanted to go", () =>
    visit(
      "/keys?new=1",
      async (page) => {
        await page.waitForURL("**/console/sign-in**");
        await signIn(page);
        await page.getByRole("dialog", { name: "New key" }).waitFor();
        expect(pathOf(page)).toBe("/console/keys?new=1");
      },
      { fixtures: door() },
    ));

  test.each(["//evil.example", "https://evil.example", "/\\evil.example"])(
    "does not lead out of the console: %s",
    (to) =>
      visit(
        `/sign-in?to=${encodeURIComponent(to)}`,
        async (page) => {
          await signIn(page);
          await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
          expect(new URL(page.url()).hostname).toBe("localhost");
        },
        { fixtures: door() },
      ),
  );
});

describe("a form", () => {
  test("shows what the API refuses at its field", () =>
    visit("/keys?new=1", async (page) => {
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Name").fill("taken");
      await dialog.getByRole("button", { name: "Create key" }).click();
      await dialog.getByText("Another key has this name.").waitFor();
      expect(await dialog.getByLabel("Name").getAttribute("aria-invalid")).toBe("true");
    }));

  test("sends nothing that is wrong already", () =>
    visit("/keys?new=1", async (page) => {
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Budget").fill("ten");
      await dialog.getByRole("button", { name: "Create key" }).click();
      await dialog.getByText("Fill this in.").waitFor();
      await dialog.getByText("Enter an amount in USD").waitFor();
    }));
});

describe("a key", () => {
  test("asks before it is turned off, then tells", () =>
    visit("/keys", async (page) => {
      await page.getByRole("switch", { name: "Enable Production backend" }).click();
      const dialog = page.getByRole("dialog", { name: "Disable Production backend?" });
      await dialog.getByRole("button", { name: "Disable" }).click();
      await page.getByText("Production backend is disabled.").waitFor();
      await dialog.waitFor({ state: "detached" });
    }));

  test("shows its secret once", () =>
    visit("/keys?new=1", async (page) => {
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Name").fill("App");
      await dialog.getByRole("button", { name: "Create key" }).click();
      expect(await page.getByLabel("Secret", { exact: true }).textContent()).toStartWith("sk-fg-");
      await dialog.getByRole("button", { name: "I saved it" }).click();
      await dialog.waitFor({ state: "detached" });
      expect(await page.content()).not.toContain("sk-fg-");
    }));
});
