// Windows on the console over fixtures, one for each scene or kept from one scene to the next: to open one costs
// the browser as much as to show the page, since it starts a process, reads its letters and compiles our scripts.
import type { Browser, BrowserContext, Page } from "playwright-core";
import type { Fixtures } from "../../web/fixtures/fixture.ts";
import { ENGLISH, type Look, nameOf, openPage } from "./chromium.ts";
import { type FixtureServer, startFixtureServer } from "./fixture-server.ts";
import { CATALOGUES } from "./seeing/inspection.ts";
import { watchShifts } from "./seeing/layout-shifts.ts";

interface Window {
  readonly page: Page;
  readonly server: FixtureServer;
}

export interface Windows {
  open(look: Look): Promise<Window>;
  /** Whoever opened it is done. */
  leave(window: Window): Promise<void>;
}

interface Around {
  readonly look?: Look;
  /** Stand before the common fixtures. */
  readonly fixtures?: Fixtures;
}

type Opened = Window & { readonly look: Look; readonly context: BrowserContext };

async function openWindow(browser: Browser, look: Look): Promise<Opened> {
  const server = startFixtureServer();
  const { page, context } = await openPage(browser, look);
  await watchShifts(page);
  return { page, server, look, context };
}

async function closeWindow({ page, server }: Window): Promise<void> {
  await page.context().close();
  await server.stop();
}

/** One for each scene. */
export function newWindows(browser: Browser): Windows {
  return { open: (look) => openWindow(browser, look), leave: closeWindow };
}

/** As one that was never used: nothing is kept of the scene, but for what a browser has in its cache. */
async function clean({ page, context, look, server }: Opened): Promise<void> {
  // Where nothing of ours runs, but on the same server: for another one the browser would start a process.
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await page.goto(`${server.url}/nothing-here`);
  for (const tab of context.pages()) if (tab !== page) await tab.close();
  await page.evaluate("localStorage.clear(); sessionStorage.clear()");
  await context.clearCookies();
  await page.emulateMedia({ colorScheme: look.theme });
  await page.mouse.move(0, 0);
}

const NOWHERE = "/no/such/page";

/** A walk that fails says what the page showed: whoever reads of it later cannot open it. */
async function walked(page: Page, walk: (page: Page) => Promise<void>): Promise<void> {
  const broke: string[] = [];
  const note = (error: Error) => broke.push(`${error}`);
  page.on("pageerror", note);
  try {
    await walk(page);
  } catch (thrown) {
    const shown = await page.locator("body").ariaSnapshot().catch(String);
    console.error([`At ${page.url()}`, ...broke, shown].join("\n"));
    throw thrown;
  } finally {
    page.off("pageerror", note);
  }
}

/** Goes to a page below `/console` as by a link in the page: what the console has read stays with it. */
export async function followLink(page: Page, path: string): Promise<void> {
  await page.evaluate(`history.pushState({}, "", ${JSON.stringify(`/console${path}`)})`);
}

/** What the page makes of all that it has got by now is drawn. */
export async function drawn(page: Page): Promise<void> {
  await page.evaluate(
    "new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(() => seen())))",
  );
}

/** Those that somebody has left are opened again for scenes of the same look. */
export class KeptWindows implements Windows {
  readonly #browser: Browser;
  readonly #all = new Map<Page, Opened>();
  readonly #free = new Map<string, Opened[]>();
  readonly #wanderers = new Map<string, Window>();

  constructor(browser: Browser) {
    this.#browser = browser;
  }

  async open(look: Look): Promise<Window> {
    const kept = this.#free.get(nameOf(look))?.pop();
    if (kept) return kept;
    const opened = await openWindow(this.#browser, look);
    this.#all.set(opened.page, opened);
    return opened;
  }

  async leave({ page }: Window): Promise<void> {
    const left = this.#all.get(page);
    if (!left) return;
    await clean(left);
    const name = nameOf(left.look);
    this.#free.set(name, [...(this.#free.get(name) ?? []), left]);
  }

  /** Walks from a page below `/console`. Where the walk fails, nobody is given its window again. */
  async visit(
    path: string,
    walk: (page: Page) => Promise<void>,
    { look = ENGLISH, fixtures = {} }: Around = {},
  ): Promise<void> {
    const window = await this.open(look);
    const { page, server } = window;
    server.show(fixtures);
    await page.goto(`${server.url}/console${path}`);
    await walked(page, walk);
    await this.leave(window);
  }

  /**
   * The same in one window of each look that stays in the console, with all that it has read before: to load it anew
   * costs four times as much. It goes there as by a link, past a page without anything, so that nobody meets what was
   * there before. Not for walks that change what a browser keeps, or that need an answer which others have read.
   */
  async wander(
    path: string,
    walk: (page: Page) => Promise<void>,
    { look = ENGLISH, fixtures = {} }: Around = {},
  ): Promise<void> {
    const name = nameOf(look);
    const window = this.#wanderers.get(name) ?? (await this.open(look));
    this.#wanderers.delete(name);
    const { page, server } = window;
    server.show(fixtures);
    if (page.url().startsWith(`${server.url}/console`)) await followLink(page, NOWHERE);
    else await page.goto(`${server.url}/console${NOWHERE}`);
    const { pageMissing } = CATALOGUES[look.language].errors;
    const nothing = page.locator("h1", { hasText: pageMissing });
    await nothing.waitFor();
    await page.locator("[role=dialog]").waitFor({ state: "detached" });
    await followLink(page, path);
    // It stays until the other page's script has come, and has a heading as every page.
    await nothing.waitFor({ state: "detached" });
    await walked(page, walk);
    await page.unrouteAll({ behavior: "ignoreErrors" });
    this.#wanderers.set(name, window);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#all.values()].map(closeWindow));
    this.#all.clear();
    this.#free.clear();
    this.#wanderers.clear();
  }
}
