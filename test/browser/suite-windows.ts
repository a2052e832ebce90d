// The windows that the tests of one suite share.
import { afterAll, beforeAll } from "bun:test";
import type { Browser } from "playwright-core";
import { launchChromium } from "./chromium.ts";
import { KeptWindows } from "./windows.ts";

/** Opened before the first test and closed behind the last one. */
export function suiteWindows() {
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
  const wander: KeptWindows["wander"] = (...walk) => windows.wander(...walk);
  return { browser: () => browser, windows: () => windows, visit, wander };
}
