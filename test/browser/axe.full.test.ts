// Every page of a real server, before and after its operator has signed in and something has
// happened: axe finds nothing wrong, with all of its rules.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { launchChromium } from "./chromium.ts";
import { violations } from "./seeing/axe.ts";
import { callApi, createKey, openKey } from "./steps/key-steps.ts";
import { makeCode, topUpByTest } from "./steps/money-steps.ts";
import { becomeOperator, startWalk, type Walker } from "./steps/walker.ts";

const OPEN_PAGES = ["sign-in", "sign-up", "forgot-password", "reset-password#t", "welcome#t"];
const MENU_PAGES_MIN = 16;

let browser: Browser;
let walker: Walker;
beforeAll(async () => {
  browser = await launchChromium();
  walker = await startWalk(browser, { theme: "light", language: "en", width: "desktop" });
});
afterAll(async () => {
  await walker.end();
  await browser.close();
});

/** What is wrong, by page; pages without a fault are left out. */
async function faultsOf(addresses: readonly string[]): Promise<Record<string, string[]>> {
  const { page } = walker;
  const faults: Record<string, string[]> = {};
  for (const address of addresses) {
    await page.goto(address);
    // A page that has not come up has nothing that axe could mind.
    await page.getByRole("heading", { level: 1 }).first().waitFor();
    await page.waitForLoadState("networkidle");
    const found = await violations(page);
    if (found.length > 0) faults[new URL(address).pathname] = found;
  }
  return faults;
}

test("the pages before the door", async () => {
  const home = new URL("/console/", walker.server.url);
  const addresses = OPEN_PAGES.map((path) => new URL(path, home).href);
  expect(await faultsOf(addresses)).toEqual({});
});

test("every page of the menu, and that of a key", async () => {
  await becomeOperator(walker);
  const secret = await createKey(walker);
  // The second one meets the budget, so that both kinds of lines are in the tables.
  await callApi(walker, secret);
  await callApi(walker, secret);
  await topUpByTest(walker);
  await makeCode(walker);
  await openKey(walker);
  const addresses = [walker.page.url(), ...(await menuAddresses())];
  expect(addresses.length).toBeGreaterThan(MENU_PAGES_MIN);
  expect(await faultsOf(addresses)).toEqual({});
});

/** From the menu itself, so that a page which is added to it is looked at too. */
async function menuAddresses(): Promise<string[]> {
  const menu = walker.page.getByRole("navigation", { name: walker.words.nav.menu });
  const links = await menu.getByRole("link").all();
  const paths = await Promise.all(links.map((link) => link.getAttribute("href")));
  return paths.map((path) => new URL(path ?? "", walker.page.url()).href);
}
