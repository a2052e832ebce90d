// Rows of tables under hands.
import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { comesTrue } from "../../support/waiting.ts";

export const pathOf = (page: Page) => new URL(page.url()).pathname + new URL(page.url()).search;
export const openers = (page: Page) => page.locator("main tbody [data-opens]");

/** The arrows go from one row to the next. */
export async function openByKeyboard(page: Page): Promise<void> {
  await openers(page).first().focus();
  if ((await openers(page).count()) > 1) {
    await page.keyboard.press("ArrowDown");
    const second = `document.querySelectorAll("main tbody [data-opens]")[1]`;
    await comesTrue(async () =>
      expect(await page.evaluate(`${second} === document.activeElement`)).toBe(true),
    );
  }
  await page.keyboard.press("Enter");
}
