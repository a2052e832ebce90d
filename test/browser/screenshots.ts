// Takes pictures of the console over fixtures: every page, both languages, both themes.
//
//   npm run screenshots              all of them, into docs/screenshots, which git does not keep
//   npm run screenshots -- wallet    only scenes that begin with a name
//   npm run screenshots -- --readme  the four that the README shows, into docs/pictures
//
// What is wrong with a page is printed, and fails the command: a picture of a fault is worth nothing.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { ConsoleFiles } from "../../src/http/files/console-files.ts";
import { LOOKS, type Look, launchChromium } from "./chromium.ts";
import type { Scene } from "./scenes/scene.ts";
import { visitScene } from "./scenes/scene-visit.ts";
import { SCENES } from "./scenes/scenes.ts";
import { faultsOf } from "./seeing/inspection.ts";
import { newWindows } from "./windows.ts";

const docsDir = fileURLToPath(new URL("../../docs/", import.meta.url));
const webDir = fileURLToPath(new URL("../../web/", import.meta.url));
const AT_ONCE = 2;
const QUALITY = 55;
/** Two screens; what is longer goes on in the same way. */
const HEIGHT_MAX = 1600;

/** The light ones stand above the dark ones. */
const README_PICTURES = [
  { name: "overview", theme: "light" },
  { name: "receipt", theme: "light" },
  { name: "key", theme: "dark" },
  { name: "drafts-editor", theme: "dark" },
] as const;

interface Shot {
  readonly scene: Scene;
  readonly look: Look;
  /** Below docs/, without its ending. */
  readonly path: string;
  /** Not only what fits into the window. */
  readonly whole: boolean;
}

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
  const devtools = await page.context().newCDPSession(page);
  const options = { format: "webp", quality: QUALITY } as const;
  const { data } = await devtools.send("Page.captureScreenshot", options);
  return Buffer.from(data, "base64");
}

interface Taken {
  readonly bytes: number;
  readonly faults: readonly string[];
}

async function take(browser: Browser, { scene, look, path, whole }: Shot): Promise<Taken> {
  const { page, broken, moved, end } = await visitScene(newWindows(browser), scene, look);
  try {
    const faults = [...(await faultsOf(page, scene, look)), ...moved, ...broken];
    if (whole) await growWindow(page);
    const picture = await photograph(page);
    const file = join(docsDir, `${path}.webp`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, picture);
    return { bytes: picture.length, faults };
  } finally {
    await end();
  }
}

function albumShots(names: readonly string[]): Shot[] {
  const looks = LOOKS.filter(({ width }) => width === "desktop");
  return SCENES.filter(
    ({ name, aside }) =>
      !aside && (names.length === 0 || names.some((word) => name.startsWith(word))),
  ).flatMap((scene) =>
    looks
      .filter((look) => scene.looks?.(look) ?? true)
      .map((look) => {
        const path = `screenshots/${look.language}-${look.theme}/${scene.name}`;
        return { scene, look, path, whole: true };
      }),
  );
}

function readmeShots(): Shot[] {
  return README_PICTURES.map(({ name, theme }) => {
    const scene = SCENES.find((one) => one.name === name);
    if (!scene) throw new Error(`there is no scene "${name}" any more`);
    const look = { theme, language: "en", width: "desktop" } as const;
    return { scene, look, path: `pictures/${name}`, whole: false };
  });
}

const words = process.argv.slice(2);
const readme = words.includes("--readme");
const queue = readme ? readmeShots() : albumShots(words);
// Scenes come and go; a folder has no pictures of those that went.
const folder = readme ? "pictures" : "screenshots";
if (readme || words.length === 0) rmSync(join(docsDir, folder), { recursive: true, force: true });

// Once, and before a page would wait for it.
await new ConsoleFiles(webDir).tree();
const browser = await launchChromium();
const count = queue.length;
let bytes = 0;
let faulty = 0;
const lanes = Array.from({ length: AT_ONCE }, async () => {
  for (let next = queue.shift(); next; next = queue.shift()) {
    const taken = await take(browser, next);
    bytes += taken.bytes;
    faulty += taken.faults.length;
    const { scene, look } = next;
    for (const fault of taken.faults) {
      console.error(`${scene.name} ${look.language} ${look.theme}: ${fault}`);
    }
  }
});
await Promise.all(lanes);
await browser.close();
console.log(`${count} pictures, ${(bytes / 1024 / 1024).toFixed(1)} MB, in docs/${folder}`);
process.exit(faulty > 0 || count === 0 ? 1 : 0);
