// Takes pictures of pages over fixtures, to be looked at:
//
//   node bin/with-bun test/browser/look.ts <folder> [name …]   only scenes that begin with a name
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { LOOKS, launchChromium, nameOf, openPage } from "./chromium.ts";
import { startFixtureServer } from "./fixture-server.ts";
import { SCENES, type Scene } from "./scenes.ts";

async function shoot(browser: Browser, scene: Scene, folder: string): Promise<void> {
  const server = startFixtureServer(scene.fixtures);
  for (const look of LOOKS.filter(scene.looks ?? (() => true))) {
    const { page, context } = await openPage(browser, look);
    page.on("pageerror", (error) => console.error(scene.name, error.message));
    await page.goto(`${server.url}/console${scene.path}`, { waitUntil: "networkidle" });
    await scene.act?.(page);
    const path = join(folder, `${scene.name}-${nameOf(look)}.png`);
    await page.screenshot({ path, fullPage: true });
    await context.close();
  }
  await server.stop();
}

const [folder = "shots", ...names] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const browser = await launchChromium();
for (const scene of SCENES) {
  if (names.length === 0 || names.some((name) => scene.name.startsWith(name))) {
    await shoot(browser, scene, folder);
  }
}
await browser.close();
