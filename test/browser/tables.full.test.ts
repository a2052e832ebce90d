// Tables under hands, where there is time: what is seldom done to a row, and what is seldom in the way.
import { describe, expect, test } from "bun:test";
import { comesTrue } from "../support/waiting.ts";
import { CHINESE } from "./chromium.ts";
import { seePath } from "./seeing/address.ts";
import { openByKeyboard, openers, pathOf } from "./steps/table-steps.ts";
import { suiteWindows } from "./suite-windows.ts";

const { browser, visit, wander } = suiteWindows();

test("a drawer that was closed is not met again on the way back", () =>
  wander("/requests", async (page) => {
    await openByKeyboard(page);
    await page.getByRole("dialog").waitFor();
    // Twice, as an impatient hand does it.
    await Promise.all([page.keyboard.press("Escape"), page.keyboard.press("Escape")]);
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await seePath(page, "/console/requests");
    await page.goBack();
    await page.getByRole("heading", { level: 1, name: "There is no such page" }).waitFor();
  }));

describe("a row", () => {
  test("leaves alone what has a meaning of its own in it", () =>
    wander("/keys", async (page) => {
      await page.getByRole("switch").first().click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("button", { name: "Cancel" }).click();
      await dialog.waitFor({ state: "detached" });
      expect(pathOf(page)).toBe("/console/keys");
      await page
        .getByRole("button", { name: /^Actions for/ })
        .first()
        .click();
      await page.getByRole("menuitem", { name: "New secret" }).click();
      await page.getByRole("dialog", { name: /New secret for/ }).waitFor();
      expect(pathOf(page)).toBe("/console/keys");
    }));

  test("stays closed while somebody marks its text", () =>
    wander("/requests", async (page) => {
      await openers(page).first().waitFor();
      const words = page
        .locator("main tbody tr")
        .nth(1)
        .locator("td")
        .nth(2)
        .locator("span")
        .first();
      const box = await words.boundingBox();
      if (!box) throw new Error("the row has no words to mark");
      const y = box.y + box.height / 2;
      await page.mouse.move(box.x + 1, y);
      await page.mouse.down();
      await page.mouse.move(box.x + 40, y, { steps: 4 });
      await page.mouse.up();
      expect(await page.evaluate<string>("getSelection().toString()")).not.toBe("");
      expect(pathOf(page)).toBe("/console/requests");
      // Once nothing is marked any more, the same place opens it.
      await page.evaluate("getSelection().removeAllRanges()");
      await page.mouse.click(box.x + 20, y);
      await page.getByRole("dialog").waitFor();
    }));

  test("that is a link opens in another tab with Ctrl", () =>
    visit("/keys", async (page) => {
      await openers(page).first().waitFor();
      const cell = page.locator("main tbody tr").first().locator("td").nth(3);
      await cell.click({ position: { x: 2, y: 2 }, modifiers: ["Control"] });
      // Of the browser itself: of thirty tabs that come by themselves, the library misses one.
      const devtools = await browser().newBrowserCDPSession();
      const { origin } = new URL(page.url());
      await comesTrue(async () => {
        const { targetInfos } = await devtools.send("Target.getTargets");
        const tabs = targetInfos.filter(({ url }) => url.startsWith(`${origin}/console/keys/key_`));
        expect(tabs).toHaveLength(1);
      });
      await devtools.detach();
      expect(pathOf(page)).toBe("/console/keys");
    }));
});

describe("a column", () => {
  test("says so where only what is loaded is sorted", () =>
    wander("/requests?sort=-cost", async (page) => {
      await page.getByText(/^Sorted among the \d+ rows that are loaded\.$/).waitFor();
    }));

  test("of keys is sorted by the server, which knows them all", () =>
    wander("/keys", async (page) => {
      const asked = page.waitForRequest((request) => request.url().endsWith("/keys?sort=-spent"));
      await page.getByRole("columnheader", { name: "Spent" }).getByRole("button").click();
      await asked;
    }));
});

test("a filter keeps the rows of before until its own come", () =>
  visit("/requests", async (page) => {
    await openers(page).first().waitFor();
    const held = Promise.withResolvers<void>();
    await page.route(/\/requests\?status=error/, async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.getByLabel("Status", { exact: true }).selectOption("error");
    await page.locator("main table[aria-busy=true]").waitFor();
    expect(await openers(page).count()).toBeGreaterThan(0);
    held.resolve();
    await page.locator("main table[aria-busy=false]").waitFor();
  }));

describe("on a phone", () => {
  test.each(["/requests", "/keys/key_8fK2mQ4x", "/"])("what requests cost is seen: %s", (path) =>
    wander(
      path,
      async (page) => {
        await openers(page).first().waitFor();
        const hidden = `(() => {
          const box = document.querySelector("main section:has(> table)");
          return box.scrollWidth - box.clientWidth;
        })()`;
        await comesTrue(async () =>
          expect(await page.evaluate<number>(hidden)).toBeLessThanOrEqual(0),
        );
      },
      { look: CHINESE },
    ),
  );
});
