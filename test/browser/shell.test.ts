// How the console behaves under hands: keyboard, menus, the door, forms.
import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { DRAFT_FIXTURES } from "../../web/fixtures/drafts.ts";
import { type Fixture, type Fixtures, refusal } from "../../web/fixtures/fixture.ts";
import { meAs, SESSION_ME } from "../../web/fixtures/session.ts";
import { eventually } from "../support/waiting.ts";
import { seePath } from "./seeing/address.ts";
import { suiteWindows } from "./suite-windows.ts";
import { drawn, followLink } from "./windows.ts";

const { visit, wander } = suiteWindows();

const heading = (page: Page) => page.getByRole("heading", { level: 1 });

describe("the keyboard", () => {
  test("opens the palette, finds a page and goes there", () =>
    wander("/keys", async (page) => {
      await heading(page).waitFor();
      await page.keyboard.press("Control+k");
      await page.locator("[role=combobox]:focus").waitFor();
      await page.keyboard.type("wal");
      await page.locator("[role=option][data-highlighted]", { hasText: "Wallet" }).waitFor();
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { level: 1, name: "Wallet" }).waitFor();
      await seePath(page, "/console/wallet");
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
      await page.locator("html[data-theme=dark]").waitFor();
    }));

  test("show the entry of the page whole in a window that has no room for all", () =>
    visit("/operator/system", async (page) => {
      const menu = page.locator("aside nav");
      const entry = menu.locator("a[aria-current=page]", { hasText: "System" });
      await entry.waitFor();
      const bottomOf = async (part: typeof menu) => {
        const box = await part.boundingBox();
        return box ? box.y + box.height : Number.NaN;
      };
      // The menu scrolls when the page has been drawn.
      await eventually("the entry is whole", async () => {
        return (await bottomOf(entry)) <= (await bottomOf(menu));
      });
    }));
});

/** What is answered only to those who are signed in; any password does. */
class Door {
  readonly fixtures: Fixtures;
  isOpen = false;

  constructor(behind: Fixtures = {}) {
    const guarded = Object.entries({ ...SESSION_ME, ...behind }).map(
      ([name, fixture]): [string, Fixture] => [
        name,
        (call) => (this.isOpen ? fixture(call) : refusal(401, "not_signed_in", "Sign in first.")),
      ],
    );
    this.fixtures = {
      ...Object.fromEntries(guarded),
      "POST /api/auth/sign-in/email": () => {
        this.isOpen = true;
        return { user: {} };
      },
    };
  }
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
        await seePath(page, "/console/keys?new=1");
      },
      { fixtures: new Door().fixtures },
    ));

  test("does not lead out of the console", () =>
    visit(
      `/sign-in?to=${encodeURIComponent("//evil.example")}`,
      async (page) => {
        await signIn(page);
        await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
        expect(new URL(page.url()).hostname).toBe("localhost");
      },
      { fixtures: new Door().fixtures },
    ));

  test("is shown where a session has ended, and what was typed by then is kept and saved", () => {
    const door = new Door(DRAFT_FIXTURES);
    door.isOpen = true;
    return visit(
      "/drafts/drf_2aB4",
      async (page) => {
        const title = page.getByLabel("Title", { exact: true });
        await title.waitFor();
        door.isOpen = false;
        await title.fill("Typed too late");
        const ended = page.getByRole("alert").filter({ hasText: "Your session has ended." });
        await ended.waitFor();
        await page.getByRole("status").getByText("Not saved until you sign in.").waitFor();
        // Other pages lead there too, also above a dialog, and lose nothing.
        await page.getByRole("link", { name: "Wallet" }).click();
        await page.getByRole("button", { name: "Top up" }).first().click();
        await page.getByRole("dialog").waitFor();
        await ended.getByRole("link", { name: "Sign in" }).click();
        await page.waitForURL("**/console/sign-in?to=*wallet*");
        await page.goBack();
        await followLink(page, "/drafts/drf_2aB4");
        expect(await title.inputValue()).toBe("Typed too late");
        await ended.getByRole("link", { name: "Sign in" }).click();
        const saved = page.waitForRequest((asked) => asked.method() === "PUT" && door.isOpen);
        await signIn(page);
        expect((await saved).postDataJSON().articles[0].title).toBe("Typed too late");
        await seePath(page, "/console/drafts/drf_2aB4");
        await page.getByRole("status").getByText("Saved").waitFor();
        expect(await title.inputValue()).toBe("Typed too late");
        expect(await ended.count()).toBe(0);
      },
      { fixtures: door.fixtures },
    );
  });
});

test("whoever signs in next does not see what somebody else has asked of models", () => {
  let user = "user_1";
  const door = new Door({ "GET /api/me": () => meAs(user) });
  door.isOpen = true;
  return visit(
    "/playground",
    async (page) => {
      const prompt = page.getByRole("textbox", { name: "Message", exact: true });
      const asked = page.getByRole("listitem").getByText("For my eyes", { exact: true });
      await page.getByText(/^To /).waitFor();
      await prompt.fill("For my eyes");
      await prompt.press("Enter");
      await asked.waitFor();
      await prompt.fill("Half a thought");
      door.isOpen = false;
      for (const [next, count, typed] of [
        ["user_2", 0, ""],
        ["user_1", 1, "Half a thought"],
      ] as const) {
        user = next;
        await followLink(page, "/sign-in?to=/playground");
        await signIn(page);
        await prompt.waitFor();
        await drawn(page);
        expect([await asked.count(), await prompt.inputValue()]).toEqual([count, typed]);
      }
    },
    { fixtures: door.fixtures },
  );
});

describe("a form", () => {
  test("shows what the API refuses at its field", () =>
    wander("/keys?new=1", async (page) => {
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Name").fill("taken");
      await dialog.getByRole("button", { name: "Create key" }).click();
      await dialog.getByText("Another key has this name.").waitFor();
      await dialog.getByLabel("Name").and(page.locator("[aria-invalid=true]")).waitFor();
    }));
});

describe("a key", () => {
  test("is changed as a whole in one dialog", () =>
    wander("/keys/key_5pD9sV2h", async (page) => {
      await page.getByRole("button", { name: "Edit", exact: true }).click();
      const dialog = page.getByRole("dialog", { name: "Edit 客服机器人" });
      await dialog.getByLabel("Name", { exact: true }).fill("Service");
      await dialog.getByLabel("Monthly budget").fill("25");
      await dialog.getByLabel("Requests per minute").fill("60");
      await dialog.getByLabel("Search models").fill("gpt-5.6");
      await dialog.getByRole("listitem").getByRole("checkbox").first().click();
      await dialog.getByLabel("Expires").fill("2026-12-24");
      await dialog.getByLabel("Allowed addresses").fill("10.0.0.0/8");
      await dialog.getByRole("checkbox", { name: /^Hard limit/ }).click();
      const sent = page.waitForRequest((request) => request.method() === "PATCH");
      await dialog.getByRole("button", { name: "Save" }).click();
      expect((await sent).postDataJSON()).toMatchObject({
        name: "Service",
        budgets: [
          { amount: "10", period: "total" },
          { amount: "25", period: "month", time_zone: "Europe/Berlin" },
        ],
        rpm: 60,
        models: ["gpt-5.2-mini", "claude-haiku-4.5", "gpt-5.6"],
        expires_at: "2026-12-24T23:00:00.000Z",
        networks: ["10.0.0.0/8"],
        hard: true,
      });
      await dialog.waitFor({ state: "detached" });
    }));

  test("shows its secret once", () =>
    wander("/keys?new=1", async (page) => {
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Name").fill("App");
      await dialog.getByRole("button", { name: "Create key" }).click();
      await page.getByText("Authorization: Bearer sk-fg-").waitFor();
      // A key that is pressed by habit does not take it away.
      await page.keyboard.press("Escape");
      await drawn(page);
      expect(await page.getByLabel("Secret", { exact: true }).textContent()).toStartWith("sk-fg-");
      await dialog.getByRole("button", { name: "I saved it" }).click();
      await dialog.waitFor({ state: "detached" });
      expect(await page.content()).not.toContain("sk-fg-");
    }));
});

test("codes that were made stay until they are said to be saved", () =>
  wander("/operator/codes?new=1", async (page) => {
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("How many").fill("2");
    await dialog.getByLabel("Worth").fill("5");
    await dialog.locator("button[type=submit]").click();
    const codes = dialog.locator("textarea");
    await codes.waitFor();
    await page.keyboard.press("Escape");
    await drawn(page);
    await codes.waitFor();
    await dialog.getByRole("button", { name: "I have saved them" }).click();
    await dialog.waitFor({ state: "detached" });
  }));
