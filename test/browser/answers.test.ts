// Answers that come late, or not at all: what is on a page stays there, and what somebody has left is left.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { launchChromium } from "./chromium.ts";
import { KeptWindows } from "./windows.ts";

let browser: Browser;
let windows: KeptWindows;
beforeAll(async () => {
  browser = await launchChromium();
  windows = new KeptWindows(browser);
});
afterAll(async () => {
  await windows.close();
  await browser.close();
});

const visit: KeptWindows["visit"] = (...walk) => windows.visit(...walk);

/** What the page makes of the answers that it has got by now is drawn. */
const drawn = (page: Page) =>
  page.evaluate<void>(
    "new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(() => seen())))",
  );

const follow = (page: Page, path: string) => page.goto(new URL(`/console${path}`, page.url()).href);

const UNANSWERED = "This could not be loaded";

describe("an answer that does not come", () => {
  test("takes no key off its page, and with it no secret that is shown once", () =>
    visit("/keys/key_8fK2mQ4x", async (page) => {
      await page.getByRole("button", { name: "New secret" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("combobox").waitFor();
      await page.route(/\/keys\/key_8fK2mQ4x$/, (route) =>
        route.fulfill({ status: 401, json: { error: { code: "invalid_api_key" } } }),
      );
      const refused = page.waitForResponse((answer) => answer.status() === 401);
      await dialog.getByRole("button", { name: "New secret" }).click();
      await (await refused).finished();
      await drawn(page);
      expect(await page.getByLabel("Secret", { exact: true }).textContent()).toStartWith("sk-fg-");
      await dialog.getByRole("button", { name: "I saved it" }).click();
      await page.getByRole("heading", { level: 1, name: "Production backend" }).waitFor();
    }));

  /** Pages of one thing; `named` is the heading that it has when it is answered for. */
  const PAGES = [
    ["/keys/key_8fK2mQ4x", /\/api\/accounts\/[^/]+\/keys\/key_8fK2mQ4x$/, "Production backend"],
    ["/drafts/drf_2aB4", /\/api\/accounts\/[^/]+\/drafts\/drf_2aB4$/, "Holds and charges"],
    ["/invitation#t", /\/api\/invitations\/open$/, "Join Analytical Engines"],
    ["/welcome#t", /\/api\/operator-link\/open$/, "You are the first here"],
  ] as const;

  test("is not told for what does not exist, and is asked for again", () =>
    visit("/no/such/page", async (page) => {
      for (const [path, asked, named] of PAGES) {
        await page.route(asked, (route) => route.fulfill({ status: 403, json: {} }));
        await follow(page, path);
        const again = page.getByRole("button", { name: "Try again" });
        await again.waitFor();
        await page.unroute(asked);
        await again.click();
        await page.getByRole("heading", { level: 1, name: named }).waitFor();
      }
      await follow(page, "/keys/key_none");
      await page.getByRole("heading", { level: 1, name: "There is no such key" }).waitFor();
      expect(await page.getByText(UNANSWERED).count()).toBe(0);
    }));
});
