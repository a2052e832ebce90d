// Opens a scene as a picture or a check needs it: everything has come, nothing loads any more.
import type { ConsoleMessage, Page, Request } from "playwright-core";
import type { Look } from "../chromium.ts";
import { faultyShifts } from "../seeing/layout-shifts.ts";
import type { Windows } from "../windows.ts";
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

/** Writes down what is broken until it is told to stop. */
function listen(page: Page) {
  const broken: string[] = [];
  const onError = (error: Error) => void broken.push(error.message);
  const onMessage = (message: ConsoleMessage) => {
    // Chromium itself reports refusals that the scene wants; a policy breach is not one.
    const text = message.text();
    // The test's own scripts are tried in every frame, and those of articles let none run.
    if (text.startsWith("Blocked script execution")) return;
    if (message.type() === "error" && !text.includes("status of 4")) broken.push(text);
  };
  page.on("pageerror", onError).on("console", onMessage);
  return { broken, stop: () => page.off("pageerror", onError).off("console", onMessage) };
}

/** Knows what is under way, so that nobody has to wait half a second for nothing to happen. */
function watchRequests(page: Page) {
  const open = new Set<Request>();
  const begun = (request: Request) => void open.add(request);
  const ended = (request: Request) => void open.delete(request);
  page.on("request", begun).on("requestfinished", ended).on("requestfailed", ended);
  const stop = () =>
    page.off("request", begun).off("requestfinished", ended).off("requestfailed", ended);
  return { underWay: () => open.size, stop };
}

/** The page of a scene after its steps. */
export async function visitScene(windows: Windows, scene: Scene, look: Look): Promise<Visit> {
  const window = await windows.open(look);
  const { page, server } = window;
  server.show(scene.fixtures ?? {});
  const heard = listen(page);
  const { underWay, stop } = watchRequests(page);
  const calm = async () => {
    await page.locator("h1").first().waitFor();
    for (let quiet = 0; quiet < 2; quiet = underWay() === 0 ? quiet + 1 : 0) {
      await Bun.sleep(QUIET_MS);
    }
    await page.evaluate("document.fonts.ready.then(() => null)");
  };
  const base = /^\/(?:platform|docs)\//.test(scene.path) ? "" : "/console";
  await page.goto(`${server.url}${base}${scene.path}`);
  await calm();
  const moved = await faultyShifts(page);
  if (scene.act) {
    await scene.act(page);
    await calm();
  }
  const end = async () => {
    stop();
    heard.stop();
    await windows.leave(window);
  };
  return { page, broken: heard.broken, moved, end };
}
