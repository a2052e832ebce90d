// The way of a viewer, in real Chromium on a real server: somebody signs up, secures the account and
// invites somebody else, who may look and nothing more, and is told why and whom to ask.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { startMailServer } from "../support/outside/mail-server.ts";
import { comesTrue } from "../support/waiting.ts";
import { CHINESE, launchChromium, looksOr, nameOf } from "./chromium.ts";
import { createKey, KEY_NAME } from "./steps/key-steps.ts";
import * as steps from "./steps/people-steps.ts";
import { addressOf, go, joinWalk, say, startWalk, type Walker } from "./steps/walker.ts";

const { OWNER, GUEST } = steps;

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser.close());

/** The key is there to be seen, and there is nothing to make or change one with. */
async function seeKeysOnly(walker: Walker): Promise<void> {
  const { page, words } = walker;
  await go(walker, words.nav.keys);
  // A link of somebody who may create keys opens nothing either.
  for (const path of ["/keys", "/keys?new=1"]) {
    await page.goto(addressOf(walker, path));
    await page.getByRole("link", { name: KEY_NAME, exact: true }).waitFor();
    expect(await page.getByRole("button", { name: words.keys.create }).count()).toBe(0);
    expect(await page.getByRole("dialog").count()).toBe(0);
  }
  const name = say(words.keys.enable, { name: KEY_NAME });
  const enabled = page.getByRole("switch", { name });
  await comesTrue(async () => expect(await enabled.isDisabled()).toBe(true));
}

/** No box to type into that would be refused, but why, and who can change it. */
async function askWhom(walker: Walker): Promise<void> {
  const { page, words } = walker;
  const { playground } = words;
  await go(walker, words.nav.playground);
  await page.getByText(playground.viewerTitle).waitFor();
  await page.getByRole("link", { name: OWNER.email }).waitFor();
  expect(await page.getByRole("textbox", { name: playground.prompt, exact: true }).count()).toBe(0);
}

/** What is for those who run the installation is not there, neither in the menu nor by its address. */
async function seeNothingOfOperators(walker: Walker): Promise<void> {
  const { page, words } = walker;
  for (const path of ["/operator/accounts", "/operator/audit", "/operator/settings"]) {
    await page.goto(addressOf(walker, path));
    await page.getByText(words.errors.pageMissing).waitFor();
    expect(await page.getByRole("link", { name: words.nav.channels, exact: true }).count()).toBe(0);
  }
}

test.each(looksOr(CHINESE).map((look) => [nameOf(look), look] as const))(
  "a viewer, from the sign-up of a team to being told whom to ask: %s",
  async (_, look) => {
    const post = await startMailServer();
    const owner = await startWalk(browser, look, {
      FAREGATE_SIGNUP: "open",
      FAREGATE_SIGNUP_CREDIT: String(steps.SIGN_UP_CREDIT),
      FAREGATE_SMTP_URL: post.url,
    });
    const viewer = await joinWalk(browser, look, owner.server);
    try {
      await steps.signUp(owner, OWNER);
      await steps.confirmAddress(owner, post);
      await createKey(owner);
      const secret = await steps.turnOnTwoFactor(owner, OWNER);
      await steps.signOut(owner, OWNER);
      await steps.signInWithCode(owner, OWNER, secret);
      const link = await steps.inviteViewer(owner, GUEST, post);
      await steps.acceptInvitation(viewer, link, OWNER.name);
      await seeKeysOnly(viewer);
      await seeNothingOfOperators(viewer);
      // The very same call, so that nothing but the role can be what refuses it.
      expect(await steps.askForKey(viewer)).toBe(403);
      expect(await steps.askForKey(owner)).toBe(201);
      await viewer.page.goto(addressOf(viewer, "/"));
      await askWhom(viewer);
      expect([...owner.complaints, ...viewer.complaints]).toEqual([]);
    } finally {
      await viewer.end();
      await owner.end();
      await post.close();
    }
  },
);
