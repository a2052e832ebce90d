// Tables under hands: rows that open wherever they are clicked and by keyboard, columns that sort, filters
// that leave the page where it is.
import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { isFull } from "../support/counts.ts";
import { comesTrue } from "../support/waiting.ts";
import { seePath } from "./seeing/address.ts";
import { openByKeyboard, openers } from "./steps/table-steps.ts";
import { suiteWindows } from "./suite-windows.ts";
import { followLink } from "./windows.ts";

const { visit, wander } = suiteWindows();

/** Every table whose rows are highlighted, and what opens: a drawer, or a page. */
const OPENING: readonly (readonly [path: string, opens: "drawer" | RegExp])[] = [
  ["/", /^\/console\/requests\?request=/],
  ["/requests", "drawer"],
  ["/keys", /^\/console\/keys\/key_/],
  ["/keys/key_8fK2mQ4x", "drawer"],
  ["/usage", /^\/console\/requests\?from=/],
  ["/usage?by=model", /^\/console\/requests\?model=/],
  ["/usage?by=key", /^\/console\/keys\/key_/],
  ["/models", "drawer"],
  ["/drafts", /^\/console\/drafts\/drf_/],
  ["/wallet", /^\/console\/usage\?range=custom&from=/],
  ["/operator/accounts", /^\/console\/operator\/accounts\/acct_/],
  // In the page of an account everything stays in it.
  [
    "/operator/accounts/acct_2Wd8Hn",
    /^\/console\/operator\/accounts\/acct_2Wd8Hn\/requests\?request=/,
  ],
  [
    "/operator/accounts/acct_2Wd8Hn/keys",
    /^\/console\/operator\/accounts\/acct_2Wd8Hn\/keys\/key_/,
  ],
  [
    "/operator/accounts/acct_2Wd8Hn/limits",
    /^\/console\/operator\/accounts\/acct_2Wd8Hn\/keys\/key_/,
  ],
  ["/operator/codes", "drawer"],
  ["/operator/channels", "drawer"],
  ["/operator/models", "drawer"],
  ["/operator/audit", "drawer"],
  ["/operator/system", /^\/console\/operator\/channels\?channel=/],
];

async function expectOpened(page: Page, opens: "drawer" | RegExp): Promise<void> {
  if (opens === "drawer") await page.getByRole("dialog").waitFor();
  else await page.waitForURL(({ pathname, search }) => opens.test(pathname + search));
}

/** "Back" leads to the page of the row, from a drawer above it too. */
async function leaveOpened(page: Page, path: string): Promise<void> {
  await page.goBack();
  await seePath(page, `/console${path}`);
  await page.getByRole("dialog").waitFor({ state: "detached" });
}

async function openByClick(page: Page): Promise<void> {
  const row = page.locator("main tbody tr:has([data-opens])").first();
  // The corner of a cell, where there is neither a word nor a button.
  await row
    .locator("td")
    .nth(1)
    .click({ position: { x: 2, y: 2 } });
}

const WAYS = { "a click anywhere on it": openByClick, keyboard: openByKeyboard };

/** All of them, or where there is little time every third. */
const OPENED = isFull ? OPENING : OPENING.filter((_, index) => index % 3 === 0);

/** Every row both ways, or where there is little time one row this way and the next one that. */
function waysOf(index: number): (keyof typeof WAYS)[] {
  const ways = Object.keys(WAYS) as (keyof typeof WAYS)[];
  return isFull ? ways : [ways[index % ways.length] ?? "keyboard"];
}

for (const [index, [path, opens]] of OPENED.entries()) {
  const ways = waysOf(index);
  test(`a row of ${path} opens by ${ways.join(" and by ")}`, () =>
    wander(path, async (page) => {
      for (const [turn, way] of ways.entries()) {
        if (turn > 0) await leaveOpened(page, path);
        await WAYS[way](page);
        await expectOpened(page, opens);
      }
      if (opens === "drawer") await leaveOpened(page, path);
    }));
}

test("the list of requests has all of its columns in sight", () =>
  wander("/requests", async (page) => {
    await openers(page).first().waitFor();
    const names = await page.getByRole("columnheader").allTextContents();
    expect(names).toEqual([
      ...["Time", "Status", "Model", "Key", "Endpoint", "Stream"],
      ...["Input", "Output", "Duration", "Cost"],
    ]);
    const hidden = "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)";
    const table = `document.querySelector("main section:has(> table)")`;
    await comesTrue(async () => expect(await page.evaluate<number>(`${hidden}(${table})`)).toBe(0));
  }));

describe("a column", () => {
  const costs = async (page: Page) => {
    const cells = await page.locator("main tbody tr td:last-child").allTextContents();
    return cells.map((text) => Number(text.replace(/[^\d.]/g, "")));
  };

  test("sorts down, up and not at all, which the address tells", () =>
    wander("/requests", async (page) => {
      await openers(page).first().waitFor();
      const given = await costs(page);
      const header = page.getByRole("columnheader", { name: "Cost" });
      const seeSorted = (how: string | null, wanted: readonly number[]) =>
        comesTrue(async () => {
          expect(await header.getAttribute("aria-sort")).toBe(how);
          expect(await costs(page)).toEqual([...wanted]);
        });
      const rising = given.toSorted((a, b) => a - b);
      await header.getByRole("button").click();
      await seeSorted("descending", rising.toReversed());
      await header.getByRole("button").click();
      await seeSorted("ascending", rising);
      await seePath(page, "/console/requests?sort=cost");
      await page.reload();
      await openers(page).first().waitFor();
      await seeSorted("ascending", rising);
      await header.getByRole("button").click();
      await seeSorted(null, given);
    }));
});

/** Where the first table of a page begins, and how wide its card is. */
async function placeOf(page: Page) {
  const box = await page.locator("main section:has(> table)").first().boundingBox();
  return { x: box?.x, y: box?.y, width: box?.width };
}

describe("a filter", () => {
  const FILTERS = [
    ["/requests", (page: Page) => page.getByLabel("Status", { exact: true }).selectOption("error")],
    ["/usage", (page: Page) => page.getByLabel("Period").selectOption("custom")],
    [
      "/models",
      (page: Page) => page.getByLabel("Vendor", { exact: true }).selectOption({ index: 1 }),
    ],
  ] as const;

  test.each(isFull ? FILTERS : FILTERS.slice(0, 1))(
    "of %s leaves the table where it is",
    (path, choose) =>
      wander(path, async (page) => {
        await page.locator("main tbody td").first().waitFor();
        await openers(page).first().waitFor();
        const before = await placeOf(page);
        await choose(page);
        await page.waitForURL(({ search }) => search !== "");
        await page.getByRole("button", { name: "Clear filters" }).waitFor();
        await page.locator("main table[aria-busy=false]").first().waitFor();
        await openers(page).first().waitFor();
        expect(await placeOf(page)).toEqual(before);
      }),
  );
});

test("requests and statements lead to their files, with the filters of the page", () =>
  visit("/requests?status=error&from=2026-11-01", async (page) => {
    const link = page.getByRole("link", { name: "Download CSV" });
    const href = new URL((await link.getAttribute("href")) ?? "", page.url());
    expect(href.pathname).toMatch(/\/requests\.csv$/);
    expect(Object.fromEntries(href.searchParams)).toEqual({
      status: "error",
      from: "2026-10-31T23:00:00.000Z",
    });
    const held = Promise.withResolvers<void>();
    const files = page.getByRole("button", { name: "Download CSV" });
    await page.route(/\/wallet$/, async (route) => {
      await held.promise;
      await route.continue();
    });
    await followLink(page, "/wallet");
    await page.getByRole("heading", { name: "Wallet" }).waitFor();
    // What is drawn anew with the balance would lose the press of whoever was quicker.
    expect(await files.count()).toBe(0);
    held.resolve();
    await files.click();
    const month = page.getByRole("menuitem", { name: "Last month" });
    expect(await month.getAttribute("href")).toMatch(
      /\/entries\.csv\?from=2026-10-01&to=2026-10-31$/,
    );
  }));
