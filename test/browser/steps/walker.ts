// A person before the console of a real server: what they see is read by role and name, in the words
// of their language, so that the same walk goes through every look.
import { expect } from "bun:test";
import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { firstOperatorLink } from "../../../src/cli/first-operator.ts";
import { piecesOf } from "../../../web/i18n/messages.ts";
import { TestServer } from "../../server.ts";
import { isFull } from "../../support/counts.ts";
import { temporaryFolder } from "../../support/houses/temporary-folder.ts";
import { comesTrue } from "../../support/waiting.ts";
import { type Look, openPage } from "../chromium.ts";
import { CATALOGUES, GLYPHS } from "../seeing/inspection.ts";

type Words = (typeof CATALOGUES)["en" | "zh"];

export const OPERATOR_NAME = "Ada Lovelace";
/** Whose installation it is, which is the name of the operator's account. */
export const COMPANY = "Analytical Engines";

export interface Walker {
  readonly server: TestServer;
  readonly page: Page;
  readonly look: Look;
  readonly words: Words;
  /** What the browser complained about: broken scripts, breaches of the page's policy. */
  readonly complaints: readonly string[];
  /** Makes its first visitor the operator; whoever joins has none. */
  readonly firstLink?: string;
  end(): Promise<void>;
}

/**
 * A fresh installation, and a browser that has never seen it. Where there is little time, one whose processes are
 * not asked for is a part of this one: the console is served all the same, and two processes less are started.
 */
export async function startWalk(
  browser: Browser,
  look: Look,
  settings: Readonly<Record<string, string>> = {},
  { inProcesses = isFull } = {},
): Promise<Walker> {
  const folder = temporaryFolder();
  const all = { FAREGATE_DATA: folder.path, ...settings };
  const server = await (inProcesses ? TestServer.start(all) : TestServer.startHere(all));
  const walker = await joinWalk(browser, look, server);
  const firstLink = inProcesses ? printedLink(server) : await madeLink(server);
  const end = async () => {
    await walker.end();
    await server.stop();
    folder.remove();
  };
  return { ...walker, firstLink, end };
}

/** Another person before the same server, with a browser of their own. */
export async function joinWalk(browser: Browser, look: Look, server: TestServer): Promise<Walker> {
  const { page, context } = await openPage(browser, look, null);
  await watchClipboard(context);
  const complaints = listen(page);
  const end = () => context.close();
  return { server, page, look, words: CATALOGUES[look.language], complaints, end };
}

/**
 * The browser has one clipboard for all of its windows, and other walks write to it. So each page writes down what
 * the clipboard took from it: a copy that the browser refuses is still none.
 */
async function watchClipboard(context: BrowserContext): Promise<void> {
  await context.grantPermissions(["clipboard-write"]);
  await context.addInitScript(`{
    const { clipboard } = navigator;
    const write = clipboard?.writeText.bind(clipboard);
    if (write) clipboard.writeText = async (text) => {
      await write(text);
      window.copiedByTest = text;
    };
  }`);
}

function listen(page: Page): readonly string[] {
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    // Chromium itself reports refusals, which are answers like others; a policy breach is none.
    const text = message.text();
    if (message.type() === "error" && !text.includes("status of 4")) complaints.push(text);
  });
  return complaints;
}

/** A message with its names filled in. */
export function say(text: string, values: Readonly<Record<string, string>>): string {
  return piecesOf(text, values).join("");
}

/** Where a page of the console is, by the name of this machine that passkeys work with. */
export function addressOf({ server }: Walker, path: string): string {
  const url = new URL(`/console${path}`, server.url);
  url.hostname = "localhost";
  return url.href;
}

/** The link that the server printed when it started for the first time. */
function printedLink({ greeting }: TestServer): string {
  return /http:\/\/\S+\/console\/welcome\S+/.exec(greeting)?.[0] ?? "";
}

/** The same of a server that prints nothing. */
async function madeLink(server: TestServer): Promise<string> {
  const port = Number(new URL(server.url).port);
  const link = await server.within(({ config, store }) => firstOperatorLink(store, config, port));
  return link ?? "";
}

export async function openFirstLink({ page, firstLink = "" }: Walker): Promise<void> {
  await page.goto("about:blank");
  await page.goto(firstLink);
}

export async function becomeOperator(walker: Walker): Promise<void> {
  const { page, words } = walker;
  await openFirstLink(walker);
  await page.getByLabel(words.auth.company).fill(COMPANY);
  await page.getByLabel(words.auth.yourName).fill(OPERATOR_NAME);
  await page.getByLabel(words.auth.email).fill("ada@example.com");
  await page.getByLabel(words.auth.password, { exact: true }).fill("correct horse battery");
  await page.getByRole("button", { name: words.auth.welcomeAction }).click();
  await see(walker, words.overview.title);
}

/** Waits for a page by its heading, and looks at what must hold for each page in each look. */
export async function see({ page, look }: Walker, title: string): Promise<void> {
  await page.getByRole("heading", { level: 1, name: title, exact: true }).waitFor();
  const sticksOut = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
  await comesTrue(async () => {
    expect(await page.evaluate("document.documentElement.lang")).toStartWith(look.language);
    expect(await page.evaluate("document.documentElement.dataset.theme")).toBe(look.theme);
    expect(await page.locator("main").textContent()).toMatch(GLYPHS[look.language]);
    expect(await page.evaluate<number>(sticksOut)).toBeLessThanOrEqual(0);
  });
}

/** A phone opens the menu first. */
export async function showMenu({ page, look, words }: Walker): Promise<void> {
  if (look.width === "desktop") return;
  await page.getByRole("button", { name: words.nav.menu, exact: true }).click();
}

/** Goes to a page by the menu. */
export async function go(walker: Walker, link: string): Promise<void> {
  const { page, look, words } = walker;
  await showMenu(walker);
  const menu = page.getByRole("navigation", { name: words.nav.menu });
  await menu.getByRole("link", { name: link, exact: true }).click();
  if (look.width === "phone") await page.getByRole("dialog").waitFor({ state: "detached" });
  await see(walker, link);
}

/**
 * Listens until a button says something, in words or as its name where it has an icon only. It says so for a
 * moment, which somebody who looks now and then would miss.
 */
async function hearButton(page: Page, words: string): Promise<() => Promise<void>> {
  await page.evaluate(
    `window.heardByTest = new Promise((resolve) => {
      const says = (button) => button.textContent === words || button.ariaLabel === words;
      const words = ${JSON.stringify(words)};
      const listener = new MutationObserver(() => {
        if (![...document.querySelectorAll("button")].some(says)) return;
        listener.disconnect();
        resolve(null);
      });
      listener.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
    }); null`,
  );
  return () => page.evaluate<void>("window.heardByTest");
}

/** Presses a button that copies, and reads what was copied. */
export async function copied({ page, words }: Walker, button: Locator): Promise<string> {
  await button.waitFor();
  const told = await hearButton(page, words.words.copied);
  await button.click();
  await told();
  return page.evaluate<string>("window.copiedByTest");
}
