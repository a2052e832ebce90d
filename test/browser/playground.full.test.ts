// The way of somebody with a phone, in Chinese, in real Chromium on a real server: models are tried without
// a key, with a receipt, and across pages; then a draft that a model writes from the list, where closing the
// dialog leaves nothing behind.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { comesTrue } from "../support/waiting.ts";
import { CHINESE, launchChromium, looksOr, nameOf } from "./chromium.ts";
import { seePath } from "./seeing/address.ts";
import { filledIn } from "./steps/draft-steps.ts";
import { becomeOperator, go, say, see, startWalk, type Walker } from "./steps/walker.ts";

const QUESTION = "Say exactly: the fox is red";

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser.close());

/** Comes to the page anew, and keeps from it which models there are until it is told to go on. */
async function withoutModels(page: Page): Promise<() => void> {
  const listed = Promise.withResolvers<void>();
  await page.route("**/api/**/models*", async (route) => {
    await listed.promise;
    await route.continue();
  });
  await page.reload();
  return listed.resolve;
}

async function talk(walker: Walker): Promise<void> {
  const { page, words } = walker;
  const { playground } = words;
  await go(walker, words.nav.playground);
  const listModels = await withoutModels(page);
  const prompt = page.getByRole("textbox", { name: playground.prompt, exact: true });
  await prompt.fill(QUESTION);
  const send = page.getByRole("button", { name: playground.send, exact: true });
  expect(await send.isDisabled()).toBe(true);
  await prompt.press("Enter");
  expect(await page.getByText(playground.noModels).count()).toBe(0);
  listModels();
  // The cheapest of the sandbox is chosen for whoever has not chosen.
  await page.getByText(say(playground.goesTo, { model: "Sandbox mini 1.0" })).waitFor();
  await prompt.press("Enter");
  await page.locator("[data-cost=receipt]").waitFor();
  await page.getByRole("button", { name: playground.receipt, exact: true }).click();
  const drawer = page.getByRole("dialog", { name: words.requests.receipt });
  await drawer.getByRole("link", { name: "console: ada@example.com" }).waitFor();
  await page.keyboard.press("Escape");
  await drawer.waitFor({ state: "detached" });
}

/** On a phone what is talked about comes before what is set. */
async function seeOrder({ page, words }: Walker): Promise<void> {
  const { playground } = words;
  const prompt = page.getByRole("textbox", { name: playground.prompt, exact: true });
  const model = page.getByLabel(playground.model, { exact: true });
  await comesTrue(async () => {
    const [above, below] = [await prompt.boundingBox(), await model.boundingBox()];
    expect(above?.y).toBeLessThan(below?.y ?? 0);
  });
}

async function leaveAndComeBack(walker: Walker): Promise<void> {
  const { page, words } = walker;
  await page
    .getByRole("textbox", { name: words.playground.prompt, exact: true })
    .fill("half a question");
  await go(walker, words.nav.usage);
  await go(walker, words.nav.keys);
  // Nobody made a key, and the list has only the one that the start printed.
  await page.getByText("first key").waitFor();
  expect(await page.getByText("console: ada@example.com").count()).toBe(0);
  await go(walker, words.nav.playground);
  await page.getByText(QUESTION, { exact: true }).waitFor();
  const prompt = page.getByRole("textbox", { name: words.playground.prompt, exact: true });
  await comesTrue(async () => expect(await prompt.inputValue()).toBe("half a question"));
}

async function seeCode({ page, words }: Walker): Promise<void> {
  const { playground } = words;
  await page.getByRole("button", { name: playground.code, exact: true }).click();
  const dialog = page.getByRole("dialog", { name: playground.code });
  await dialog.getByText('"content": "half a question"').waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
}

async function writeFromTheList(walker: Walker): Promise<void> {
  const { page, words } = walker;
  const { drafts } = words;
  await go(walker, words.nav.drafts);
  const write = page.getByRole("button", { name: drafts.write, exact: true });
  const dialog = page.getByRole("dialog", { name: drafts.writeTitle });
  await write.last().click();
  await dialog.getByRole("button", { name: words.words.cancel }).click();
  await dialog.waitFor({ state: "detached" });
  // While the address still has the dialog, the page would come again with it.
  await seePath(page, "/console/drafts");
  const listModels = await withoutModels(page);
  await page.getByText(drafts.emptyTitle).waitFor();
  await write.last().click();
  await dialog.getByLabel(drafts.brief).fill("Prepaid billing for shop owners");
  const action = dialog.getByRole("button", { name: drafts.writeAction });
  // Whoever is faster than the list of models is not told that there is none.
  expect(await action.isDisabled()).toBe(true);
  listModels();
  await action.click();
  await dialog.waitFor({ state: "detached" });
  await see(walker, await filledIn(page.getByLabel(drafts.heading, { exact: true })));
}

test.each(looksOr(CHINESE).map((look) => [nameOf(look), look] as const))(
  "a phone in Chinese, from a model that is tried without a key to a draft that one writes: %s",
  async (_, look) => {
    const walker = await startWalk(browser, look);
    try {
      await becomeOperator(walker);
      await talk(walker);
      if (look.width === "phone") await seeOrder(walker);
      await leaveAndComeBack(walker);
      await seeCode(walker);
      await writeFromTheList(walker);
      expect(walker.complaints).toEqual([]);
    } finally {
      await walker.end();
    }
  },
);
