// The platform's material page in real Chromium on a real server: from a draft that software has sent
// to its publication, with an attacker's article on the way.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { Browser, FrameLocator, Page } from "playwright-core";
import { hostileContent, platformSender } from "../support/clients/platform-sender.ts";
import { comesTrue } from "../support/waiting.ts";
import { ENGLISH, LOOKS, launchChromium, nameOf } from "./chromium.ts";
import { seePath } from "./seeing/address.ts";
import { addressOf, becomeOperator, say, see, startWalk, type Walker } from "./steps/walker.ts";

let browser: Browser;
/** Notes whoever comes by: nobody should. */
let elsewhere: Bun.Server<undefined>;
let visits: string[] = [];
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser.close());
beforeEach(() => {
  visits = [];
  elsewhere = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      visits.push(request.url);
      return new Response("caught");
    },
  });
});
afterEach(() => elsewhere.stop(true));

const materialOf = (walker: Walker) => new URL("/platform/material", addressOf(walker, "/")).href;
const frameOf = (page: Page): FrameLocator => page.frameLocator("main iframe");

async function senderOf({ server }: Walker) {
  const account = await server.command<{ appid: string; secret: string }>("platform", "account");
  return platformSender(new URL(server.url).origin, account);
}

/** Draws the frame's picture into the test: a blocked one has no width. */
const widthOf = (frame: FrameLocator, index: number) =>
  frame.locator("img").nth(index).boundingBox();

async function confirm({ page, words }: Walker, action: "publish" | "massSend"): Promise<void> {
  await page.getByRole("button", { name: words.material[action], exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: words.material[action], exact: true }).click();
  await dialog.waitFor({ state: "detached" });
}

test.each(LOOKS.map((look) => [nameOf(look), look] as const))(
  "a draft is seen, compared and published: %s",
  async (_, look) => {
    const walker = await startWalk(browser, look);
    const { page, words } = walker;
    try {
      await becomeOperator(walker);
      const sender = await senderOf(walker);
      const picture = await sender.bodyPicture();
      const content = `<p>第一段</p><p><img src="${picture}"></p><a href="https://example.com">链接</a>`;
      await sender.add({ title: "秋天的账单", author: "麦多多", content });
      await page.goto(materialOf(walker));
      await see(walker, words.material.title);
      if (look.width === "phone") await page.getByRole("button", { name: "秋天的账单" }).click();
      const frame = frameOf(page);
      await frame.getByText("第一段").waitFor();
      await comesTrue(async () => expect((await widthOf(frame, 0))?.width).toBeGreaterThan(50));
      await page.getByText('<a href="https://example.com">链接</a>').waitFor();
      await confirm(walker, "publish");
      await page.getByText(words.material.publishDone).waitFor();
      await page.getByText(words.material.noDrafts).waitFor();
      expect(await sender.count()).toBe(0);
      await page.getByRole("tab", { name: words.material.published }).click();
      await page.getByRole("link", { name: "秋天的账单" }).waitFor();
      const complaints = walker.complaints.filter((text) => !text.startsWith("Blocked script"));
      expect(complaints).toEqual([]);
    } finally {
      await walker.end();
    }
  },
);

describe("an attacker's article", () => {
  test("is shown as sent and as kept, runs nothing, reaches nobody and leads nowhere", async () => {
    const walker = await startWalk(browser, ENGLISH);
    const { page, words } = walker;
    try {
      await becomeOperator(walker);
      const sender = await senderOf(walker);
      const content = hostileContent(`http://127.0.0.1:${elsewhere.port}/x`);
      await sender.add({ title: "<img src=x onerror=top.hacked=5>", content });
      await page.goto(materialOf(walker));
      await frameOf(page).getByText("Visible words").waitFor();
      await page.getByRole("tab", { name: words.material.side_submitted }).click();
      await page.getByText(words.material.previewSubmitted).waitFor();
      await frameOf(page).getByText("Visible words").waitFor();
      await frameOf(page).getByText("away").click();
      await page.waitForLoadState("networkidle");
      expect(await page.evaluate("window.hacked")).toBeUndefined();
      expect(new URL(page.url()).pathname).toBe("/platform/material");
      expect(visits).toEqual([]);
    } finally {
      await walker.end();
    }
  });
});

test("somebody who is not signed in comes back to the page through the door", async () => {
  const walker = await startWalk(browser, ENGLISH);
  const { page, words } = walker;
  try {
    await becomeOperator(walker);
    const sender = await senderOf(walker);
    const id = await sender.add({ title: "Kept in mind", content: "<p>words</p>" });
    await page.context().clearCookies();
    await page.goto(`${materialOf(walker)}?draft=${id}`);
    await page.getByLabel(words.auth.email).fill("ada@example.com");
    await page.getByLabel(words.auth.password, { exact: true }).fill("correct horse battery");
    await page.getByRole("button", { name: words.auth.signIn, exact: true }).click();
    await see(walker, words.material.title);
    await page.getByRole("heading", { name: "Kept in mind" }).waitFor();
    await seePath(page, `/platform/material?draft=${id}`);
  } finally {
    await walker.end();
  }
});

test("a mass send asks first, and takes the draft out of the box", async () => {
  const walker = await startWalk(browser, ENGLISH);
  const { page, words } = walker;
  try {
    await becomeOperator(walker);
    const sender = await senderOf(walker);
    await sender.add({ title: "To followers", content: "<p>words</p>" });
    await page.goto(materialOf(walker));
    await page.getByRole("button", { name: words.material.massSend, exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText(say(words.material.massSendHint, { title: "To followers" })).waitFor();
    await dialog.getByRole("button", { name: words.words.cancel }).click();
    await dialog.waitFor({ state: "detached" });
    expect(await sender.count()).toBe(1);
    await confirm(walker, "massSend");
    await page.getByText(words.material.noDrafts).waitFor();
    expect(await sender.count()).toBe(0);
  } finally {
    await walker.end();
  }
});
