// Takes pictures of pages over fixtures, to be looked at, in every look:
//
//   node bin/with-bun test/browser/look.ts <folder> [name …]   only scenes that begin with a name
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { LOOKS, launchChromium, nameOf } from "./chromium.ts";
import { visitScene } from "./scenes/scene-visit.ts";
import { SCENES } from "./scenes/scenes.ts";
import { newWindows } from "./windows.ts";

const [folder = "shots", ...names] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const browser = await launchChromium();
for (const scene of SCENES) {
  if (names.length > 0 && !names.some((name) => scene.name.startsWith(name))) continue;
  for (const look of LOOKS.filter(scene.looks ?? (() => true))) {
    const { page, broken, end } = await visitScene(newWindows(browser), scene, look);
    for (const words of broken) console.error(scene.name, words);
    const path = join(folder, `${scene.name}-${nameOf(look)}.png`);
    await page.screenshot({ path, fullPage: true });
    await end();
  }
}
await browser.close();
