// Takes the album of the documentation: every page, both languages, both themes.
//
//   npm run screenshots            all of it, into docs/screenshots
//   npm run screenshots -- wallet  only scenes that begin with a name
//
// What is wrong with a page is printed, and fails the command: a picture of a fault is worth nothing.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { LOOKS, type Look, launchChromium } from "./chromium.ts";
import { faultsOf } from "./inspection.ts";
import type { Scene } from "./scene.ts";
import { visitScene } from "./scene-visit.ts";
import { SCENES } from "./scenes.ts";

const albumDir = fileURLToPath(new URL("../../docs/screenshots/", import.meta.url));
const AT_ONCE = 2;
const QUALITY = 55;
/** Two screens; what is longer goes on in the same way. */
const HEIGHT_MAX = 1600;

/** How much of the page, or of the panel over it, lies below the edge of the window. */
const HIDDEN_HEIGHT = `(() => {
  const panels = [...document.querySelectorAll("[role=dialog], [role=dialog] *")];
  const nodes = panels.length > 0 ? panels : [document.documentElement];
  return Math.max(...nodes.map((node) => node.scrollHeight - node.clientHeight));
})()`;

async function growWindow(page: Page): Promise<void> {
  const hidden = await page.evaluate<number>(HIDDEN_HEIGHT);
  const size = page.viewportSize();
  if (!size || hidden <= 0) return;
  const height = Math.min(size.height + hidden, HEIGHT_MAX);
  await page.setViewportSize({ width: size.width, height });
  // A panel of one height, whatever the window's, gains nothing by it.
  const left = await page.evaluate<number>(HIDDEN_HEIGHT);
  if (left >= hidden) await page.setViewportSize(size);
}

/** As WebP, a third of the size that the other formats have. */
async function photograph(page: Page): Promise<Buffer> {
  await growWindow(page);
  const devtools = await page.context().newCDPSession(page);
  const options = { format: "webp", quality: QUALITY } as const;
  const { data } = await devtools.send("Page.captureScreenshot", options);
  return Buffer.from(data, "base64");
}

interface Taken {
  readonly bytes: number;
  readonly faults: readonly string[];
}

async function take(browser: Browser, scene: Scene, look: Look): Promise<Taken> {
  const folder = join(albumDir, `${look.language}-${look.theme}`);
  const { page, broken, moved, end } = await visitScene(browser, scene, look);
  try {
    const faults = [...(await faultsOf(page, scene, look)), ...moved, ...broken];
    const picture = await photograph(page);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${scene.name}.webp`), picture);
    return { bytes: picture.length, faults };
  } finally {
    await end();
  }
}

const names = process.argv.slice(2);
const wanted = SCENES.filter(
  ({ name, aside }) =>
    !aside && (names.length === 0 || names.some((word) => name.startsWith(word))),
);
const queue = wanted.flatMap((scene) =>
  LOOKS.filter((look) => look.width === "desktop" && (scene.looks?.(look) ?? true)).map((look) => ({
    scene,
    look,
  })),
);
// Scenes come and go; the album has no pictures of those that went.
if (names.length === 0) rmSync(albumDir, { recursive: true, force: true });

const browser = await launchChromium();
const count = queue.length;
let bytes = 0;
let faulty = 0;
const lanes = Array.from({ length: AT_ONCE }, async () => {
  for (let next = queue.shift(); next; next = queue.shift()) {
    const { scene, look } = next;
    const taken = await take(browser, scene, look);
    bytes += taken.bytes;
    faulty += taken.faults.length;
    for (const fault of taken.faults) {
      console.error(`${scene.name} ${look.language} ${look.theme}: ${fault}`);
    }
  }
});
await Promise.all(lanes);
await browser.close();
console.log(`${count} pictures, ${(bytes / 1024 / 1024).toFixed(1)} MB, in docs/screenshots`);
process.exit(faulty > 0 || count === 0 ? 1 : 0);
