// Every page over fixtures in real Chromium: nothing breaks, nothing sticks out, axe is content, and
// the words are those of the language.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { violations } from "./axe.ts";
import { LOOKS, type Look, launchChromium, nameOf, openPage } from "./chromium.ts";
import { startFixtureServer } from "./fixture-server.ts";
import { SCENES } from "./scenes.ts";

/** Between them these two have both themes, both languages and both widths. */
const FEW: readonly Look[] = [
  { theme: "light", language: "en", width: "desktop" },
  { theme: "dark", language: "zh", width: "phone" },
];
const CHECKED = process.env.FAREGATE_TEST_FULL ? LOOKS : FEW.slice(0, 1);

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser.close());

const sticksOut = `document.documentElement.scrollWidth - document.documentElement.clientWidth`;
const glyphs = { en: /[A-Za-z]{3}/, zh: /[\u4e00-\u9fff]{2}/ } as const;

describe.each(SCENES.map((scene) => [scene.name, scene] as const))("%s", (_, scene) => {
  for (const look of CHECKED.filter(scene.looks ?? (() => true))) {
    test(nameOf(look), async () => {
      const server = startFixtureServer(scene.fixtures);
      const { page, context } = await openPage(browser, look);
      const broken: string[] = [];
      page.on("pageerror", (error) => broken.push(error.message));
      page.on("console", (message) => {
        // Chromium itself reports refusals that the scene wants; a policy breach is not one.
        const text = message.text();
        if (message.type() === "error" && !text.includes("status of 4")) broken.push(text);
      });
      try {
        await page.goto(`${server.url}/console${scene.path}`, { waitUntil: "networkidle" });
        await scene.act?.(page);
        expect(await page.evaluate<number>(sticksOut)).toBeLessThanOrEqual(0);
        expect(await page.locator("main").textContent()).toMatch(glyphs[look.language]);
        expect(await page.evaluate("document.documentElement.lang")).toStartWith(look.language);
        expect(await violations(page)).toEqual([]);
        expect(broken).toEqual([]);
      } finally {
        await context.close();
        await server.stop();
      }
    });
  }
});
