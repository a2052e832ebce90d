// Opens a scene as a picture or a check needs it: everything has come, nothing loads any more.
import type { Browser, Page } from "playwright-core";
import { type Look, openPage } from "./chromium.ts";
import { startFixtureServer } from "./fixture-server.ts";
import { faultyShifts, watchShifts } from "./layout-shifts.ts";
import type { Scene } from "./scene.ts";

const QUIET_MS = 60;

interface Visit {
  readonly page: Page;
  /** What the browser complained about: broken scripts, breaches of the page's policy. */
  readonly broken: readonly string[];
  /** What moved by itself while the page came, before the scene's own steps. */
  readonly moved: readonly string[];
  end(): Promise<void>;
}

function listen(page: Page): readonly string[] {
  const broken: string[] = [];
  page.on("pageerror", (error) => broken.push(error.message));
  page.on("console", (message) => {
    // Chromium itself reports refusals that the scene wants; a policy breach is not one.
    const text = message.text();
    // The test's own scripts are tried in every frame, and those of articles let none run.
    if (text.startsWith("Blocked script execution")) return;
    if (message.type() === "error" && !text.includes("status of 4")) broken.push(text);
  });
  return broken;
}

/** Counts what is under way, so that nobody has to wait half a second for nothing to happen. */
function watchRequests(page: Page): () => number {
  let open = 0;
  page.on("request", () => {
    open += 1;
  });
  const less = () => {
    open -= 1;
  };
  page.on("requestfinished", less);
  page.on("requestfailed", less);
  return () => open;
}

/** The page of a scene after its steps. */
export async function visitScene(browser: Browser, scene: Scene, look: Look): Promise<Visit> {
  const server = startFixtureServer(scene.fixtures);
  const { page, context } = await openPage(browser, look);
  const broken = listen(page);
  const underWay = watchRequests(page);
  const calm = async () => {
    await page.locator("h1").first().waitFor();
    for (let quiet = 0; quiet < 2; quiet = underWay() === 0 ? quiet + 1 : 0) {
      await Bun.sleep(QUIET_MS);
    }
    await page.evaluate("document.fonts.ready.then(() => null)");
  };
  await watchShifts(page);
  const base = scene.path.startsWith("/platform/") ? "" : "/console";
  await page.goto(`${server.url}${base}${scene.path}`);
  await calm();
  const moved = await faultyShifts(page);
  if (scene.act) {
    await scene.act(page);
    await calm();
  }
  const end = async () => {
    await context.close();
    await server.stop();
  };
  return { page, broken, moved, end };
}
