// Answers that come late, or not at all: what is on a page stays there, and what somebody has left is left.
import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { FIXTURE_NOW } from "../../web/fixtures/fixture.ts";
import { hold } from "./steps/held-answers.ts";
import { suiteWindows } from "./suite-windows.ts";
import { drawn } from "./windows.ts";

const { visit, wander } = suiteWindows();

describe("an answer that does not come", () => {
  test("takes no key off its page, and with it no secret that is shown once", () =>
    wander("/keys/key_8fK2mQ4x", async (page) => {
      await page.getByRole("button", { name: "New secret" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("combobox").waitFor();
      await page.route(/\/keys\/key_8fK2mQ4x$/, (route) =>
        route.fulfill({ status: 401, json: { error: { code: "invalid_api_key" } } }),
      );
      const refused = page.waitForResponse((answer) => answer.status() === 401);
      await dialog.getByRole("button", { name: "New secret" }).click();
      await (await refused).finished();
      await drawn(page);
      expect(await page.getByLabel("Secret", { exact: true }).textContent()).toStartWith("sk-fg-");
      await dialog.getByRole("button", { name: "I saved it" }).click();
      await page.getByRole("heading", { level: 1, name: "Production backend" }).waitFor();
    }));
});

/** Where money is moved, what names the request, and the button that opens the dialog. */
const MOVES = [
  ["to a card", "/wallet", "refund", /\/refunds$/, "Refund"],
  ["by hand", "/operator/accounts/acct_2Wd8Hn/wallet", "credit", /\/credit$/, "Add credit"],
] as const;

test.each(MOVES)(
  "money that moves %s moves once, though its answer was lost and the dialog left",
  (_, path, opened, asked, opener) =>
    wander(`${path}?dialog=${opened}`, async (page) => {
      const keys: (string | undefined)[] = [];
      await page.route(asked, async (route) => {
        if (route.request().method() !== "POST") return route.fallback();
        keys.push(route.request().headers()["idempotency-key"]);
        return keys.length === 1 ? route.abort() : route.fallback();
      });
      const dialog = page.getByRole("dialog");
      const send = async () => {
        await dialog.getByLabel("Amount").fill("20");
        await dialog.locator("button[type=submit]").click();
      };
      await dialog.waitFor();
      // It may have moved: whoever looks at the balance is told.
      const looked = page.waitForRequest((request) => request.url().endsWith("/wallet"));
      await send();
      await dialog.getByRole("alert").waitFor();
      await looked;
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
      for (let times = 0; times < 2; times++) {
        await page.getByRole("button", { name: opener, exact: true }).first().click();
        await send();
        await dialog.waitFor({ state: "detached" });
      }
      const [first, again, another] = keys;
      expect(again).toBe(first);
      expect(another).not.toBe(first);
    }),
);

test("a push whose answer was lost is not said to be unsent, and what became of it is found out", () =>
  wander("/drafts/drf_7pQ2", async (page) => {
    const push = page.getByRole("button", { name: "Update in the box" });
    await push.waitFor();
    let isLost = true;
    await page.route(/\/push$/, (route) => (isLost ? route.abort() : route.fallback()));
    // What lost it loses other answers too: it is told without them.
    const letGo = await hold(page, /\/drafts\/drf_7pQ2$/);
    await push.click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("alert").waitFor();
    letGo();
    isLost = false;
    expect(await dialog.textContent()).toContain("It is not known whether it arrived.");
    expect(await dialog.textContent()).not.toContain("It was not sent.");
    await dialog.getByRole("button", { name: "Find out" }).click();
    await dialog.getByRole("button", { name: "Done" }).click();
    await dialog.waitFor({ state: "detached" });
  }));

test("a dialog that is done is left, and what it did is told, before the page behind it is read again", () =>
  wander("/operator/accounts/acct_2Wd8Hn", async (page) => {
    await page.getByRole("button", { name: "Edit" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name", { exact: true }).fill("Acme");
    const letGo = await hold(page, /\/operator\/accounts|\/api\/me$/, "GET");
    await dialog.locator("button[type=submit]").click();
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("status").getByText("Acme").waitFor();
    letGo();
  }));

test("a button on a page waits until the page shows what came of it", () =>
  wander("/settings?tab=security", async (page) => {
    const end = page.getByRole("button", { name: /^Sign out Safari/ }).first();
    await end.waitFor();
    const letGo = await hold(page, /\/list-sessions$/);
    await end.click();
    await page.getByRole("status").getByText("The session has ended.").waitFor();
    await drawn(page);
    expect(await end.getAttribute("aria-busy")).toBe("true");
    letGo();
    await page.locator("button[aria-busy]").waitFor({ state: "detached" });
  }));

describe("a dialog whose submission is under way", () => {
  /** As somebody does who has changed their mind, in all ways there are. */
  async function tryToLeave(page: Page): Promise<void> {
    const dialog = page.getByRole("dialog");
    for (const name of ["Close", "Cancel"]) {
      await dialog.getByRole("button", { name, disabled: true }).waitFor();
    }
    await page.keyboard.press("Escape");
    await page.mouse.click(3, 3);
    await drawn(page);
  }

  test("stays for its answer, which is told this once", () =>
    wander("/keys?new=1", async (page) => {
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Name").fill("App");
      const letGo = await hold(page, /\/keys$/);
      await dialog.getByRole("button", { name: "Create key" }).click();
      await tryToLeave(page);
      letGo();
      await page.getByLabel("Secret", { exact: true }).waitFor();
      await dialog.getByRole("button", { name: "I saved it" }).click();
      await dialog.waitFor({ state: "detached" });
    }));

  test("stays for what was confirmed, but holds nobody for ever", () =>
    visit("/keys/key_8fK2mQ4x?dialog=delete", async (page) => {
      const dialog = page.getByRole("dialog");
      const remove = dialog.getByRole("button", { name: "Delete" });
      await remove.waitFor();
      await hold(page, /\/keys\/key_8fK2mQ4x$/);
      await remove.click();
      await tryToLeave(page);
      await page.clock.fastForward("01:00");
      await dialog.getByRole("button", { name: "Cancel", disabled: false }).click();
      await dialog.waitFor({ state: "detached" });
      await page.clock.setFixedTime(new Date(FIXTURE_NOW));
    }));
});
