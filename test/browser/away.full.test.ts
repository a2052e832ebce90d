// What does not come to the console, over fixtures in real Chromium: words, pages and dialogs of a server that is away.
import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { suiteWindows } from "./suite-windows.ts";
import { drawn } from "./windows.ts";

const { visit } = suiteWindows();

describe("the menus", () => {
  test("say so when the words of another language do not come, and take them when they do", () =>
    visit("/keys", async (page) => {
      await page.getByRole("button", { name: "Ada Lovelace" }).click();
      const chinese = page.getByRole("menuitemradio", { name: "简体中文" });
      await page.route("**/*.js*", (route) => route.abort());
      await chinese.click();
      await page.getByRole("alert").getByText("cannot be reached").waitFor();
      expect(await page.getByRole("heading", { level: 1, name: "Keys" }).isVisible()).toBe(true);
      await page.unrouteAll();
      await chinese.click();
      await page.getByRole("heading", { level: 1, name: "密钥" }).waitFor();
    }));

  test("open pages in the language that is shown when another one cannot be had", () =>
    visit("/keys", async (page) => {
      await page.route("**/*.js*", async (route) => {
        const response = await route.fetch();
        if (/\p{Script=Han}/u.test(await response.text())) await route.abort();
        else await route.fulfill({ response });
      });
      await page.getByRole("button", { name: "Ada Lovelace" }).click();
      await page.getByRole("menuitemradio", { name: "简体中文" }).click();
      await page.getByRole("alert").getByText("cannot be reached").waitFor();
      await page.getByRole("menuitem", { name: "Settings" }).click();
      await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
    }));

  test("keep the console where a page cannot be had from a server that is away", () =>
    visit("/keys", async (page) => {
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.route("**/*", (route) => route.abort());
      await page.getByRole("link", { name: "Models", exact: true }).click();
      await page.getByText("cannot be reached").waitFor();
      const again = page.getByRole("button", { name: "Try again" });
      const asked = page.waitForRequest("**/console");
      await again.click();
      await asked;
      await drawn(page);
      await page.unrouteAll();
      await again.click();
      await page.getByRole("heading", { level: 1, name: "Models" }).waitFor();
    }));

  test("keep a page whose dialog did not come, and say when it can be opened", () =>
    visit("/keys", async (page) => {
      const create = page.getByRole("button", { name: "Create key" });
      await create.waitFor();
      await page.route("**/*", (route) => route.abort());
      await create.click();
      await page.getByRole("alert").getByText("cannot be reached").waitFor();
      expect(await page.getByRole("heading", { level: 1, name: "Keys" }).isVisible()).toBe(true);
      await page.getByRole("alert").getByRole("button", { name: "Close" }).first().waitFor();
      await page.unrouteAll();
      await page.getByRole("button", { name: "Load again" }).click();
      await page.getByRole("dialog", { name: "New key" }).waitFor();
    }));
});

const AWAY = { error: { message: "away", type: "x", code: "storage_unavailable", param: null } };

describe("a page whose session could not be asked for", () => {
  const meet = (walk: (page: Page, back: () => Promise<void>) => Promise<void>) =>
    visit("/no-such-place", async (page) => {
      await page.route("**/readyz", (route) => route.fulfill({ status: 503, body: "" }));
      await page.route("**/api/me", (route) => route.fulfill({ status: 503, json: AWAY }));
      await page.goto(page.url().replace("/no-such-place", "/keys"));
      await page.getByRole("heading", { level: 1, name: "Storage is unavailable" }).waitFor();
      await walk(page, () => page.unrouteAll());
    });

  test("asks again when somebody presses the button", () =>
    meet(async (page) => {
      await page.unroute("**/api/me");
      await page.getByRole("button", { name: "Try again" }).click();
      await page.getByRole("heading", { level: 1, name: "Keys" }).waitFor();
    }));

  test("comes back by itself with the server", () =>
    meet(async (page, back) => {
      await back();
      await page.getByRole("heading", { level: 1, name: "Keys" }).waitFor();
    }));
});
