// Answers that come late, or not at all: what is on a page stays there, and what somebody has left is left.
import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { ARTICLE as WRITTEN } from "../../web/fixtures/drafts.ts";
import { FIXTURE_NOW, refusal } from "../../web/fixtures/fixture.ts";
import { seePath } from "./seeing/address.ts";
import { suiteWindows } from "./suite-windows.ts";
import { drawn, followLink } from "./windows.ts";

const { visit, wander } = suiteWindows();

/** Answers of these addresses wait until they are let go. */
async function hold(page: Page, asked: RegExp): Promise<() => void> {
  const held = Promise.withResolvers<void>();
  await page.route(asked, async (route) => {
    await held.promise;
    await route.fallback();
  });
  return held.resolve;
}

const UNANSWERED = "This could not be loaded";

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

  /** Pages of one thing; `named` is the heading that it has when it is answered for. */
  const PAGES = [
    ["/keys/key_8fK2mQ4x", /\/api\/accounts\/[^/]+\/keys\/key_8fK2mQ4x$/, "Production backend"],
    ["/drafts/drf_2aB4", /\/api\/accounts\/[^/]+\/drafts\/drf_2aB4$/, "Holds and charges"],
    ["/invitation#t", /\/api\/invitations\/open$/, "Join Analytical Engines"],
    ["/welcome#t", /\/api\/operator-link\/open$/, "You are the first here"],
  ] as const;

  test("is not told for what does not exist, and is asked for again", () =>
    visit("/no/such/page", async (page) => {
      for (const [path, asked, named] of PAGES) {
        await page.route(asked, (route) => route.fulfill({ status: 403, json: {} }));
        await followLink(page, path);
        const again = page.getByRole("button", { name: "Try again" });
        await again.waitFor();
        await page.unroute(asked);
        await again.click();
        await page.getByRole("heading", { level: 1, name: named }).waitFor();
      }
      await followLink(page, "/keys/key_none");
      await page.getByRole("heading", { level: 1, name: "There is no such key" }).waitFor();
      expect(await page.getByText(UNANSWERED).count()).toBe(0);
    }));
});

test("a refusal is told when the menu that asked is closed", () =>
  wander(
    "/team",
    async (page) => {
      const letGo = await hold(page, /\/members\/[^/]+$/);
      await page.getByRole("button", { name: "Actions for Grace Hopper" }).click();
      await page.getByRole("menuitem", { name: /operator/ }).click();
      await page.getByRole("menu").waitFor({ state: "detached" });
      letGo();
      await page.getByRole("alert").getByText("The last operator has to stay.").waitFor();
    },
    {
      fixtures: {
        "PATCH /api/accounts/:account/members/:id": () =>
          refusal(409, "conflict", "The last operator has to stay."),
      },
    },
  ));

test("the sums of another account are waited for, and not those of the one before", () =>
  visit("/usage", async (page) => {
    const cost = page.locator("main dl").first().locator("dd").first();
    await cost.getByText("$").first().waitFor();
    const letGo = await hold(page, /\/acct_9Rk4Lb\/usage\?/);
    await page.getByRole("button", { name: /Analytical Engines/ }).click();
    await page.getByRole("menuitemradio", { name: "Side project" }).click();
    await page.getByRole("button", { name: /Side project/ }).waitFor();
    await drawn(page);
    expect(await cost.textContent()).toBe("");
    letGo();
    await cost.getByText("$").first().waitFor();
  }));

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
    await page.route(/\/push$/, (route) => route.abort(), { times: 1 });
    await push.click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("alert").waitFor();
    expect(await dialog.textContent()).toContain("It is not known whether it arrived.");
    expect(await dialog.textContent()).not.toContain("It was not sent.");
    await dialog.getByRole("button", { name: "Find out" }).click();
    await dialog.getByRole("button", { name: "Done" }).click();
    await dialog.waitFor({ state: "detached" });
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

  test("saves no channel that was given up while it was tried", () =>
    wander("/operator/channels?new=1", async (page) => {
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("textbox").first().fill("sk-good");
      const letGo = await hold(page, /\/channels\/try$/);
      const sent: string[] = [];
      page.on("request", (request) => {
        if (request.method() === "POST") sent.push(new URL(request.url()).pathname);
      });
      await dialog.locator("button[type=submit]").click();
      await dialog.getByRole("button", { name: "Cancel" }).click();
      await dialog.waitFor({ state: "detached" });
      const tried = page.waitForResponse(/\/channels\/try$/);
      letGo();
      await (await tried).finished();
      await drawn(page);
      expect(sent).toEqual(["/api/operator/channels/try"]);
    }));
});

describe("what comes after a dialog was left", () => {
  async function write(page: Page): Promise<() => void> {
    const dialog = page.getByRole("dialog", { name: "Write with a model" });
    await dialog.getByLabel("What should it be about?").fill("Prepaid billing");
    const letGo = await hold(page, /\/drafts\/write$/);
    await dialog.locator("button[type=submit]").click();
    await dialog.getByRole("status").waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "detached" });
    return letGo;
  }

  const told = (page: Page) =>
    page
      .getByRole("status")
      .getByText(/^Written for/)
      .waitFor();

  test("leaves the page where it is, and what was typed meanwhile, and is a draft by itself", () =>
    visit("/drafts?dialog=write", async (page) => {
      const writeList = await write(page);
      const listed = page.waitForRequest((asked) => asked.url().endsWith("/drafts"));
      writeList();
      await told(page);
      await listed;
      await drawn(page);
      await seePath(page, "/console/drafts");
      await followLink(page, "/drafts/drf_2aB4?dialog=write");
      const writeOver = await write(page);
      const title = page.getByLabel("Title", { exact: true });
      await title.fill("Typed meanwhile");
      const kept = page.waitForRequest((asked) => {
        return asked.method() === "POST" && asked.url().endsWith("/drafts");
      });
      writeOver();
      await told(page);
      const [article] = (await kept).postDataJSON().articles;
      expect([article.title, article.source.text]).toEqual([WRITTEN.title, WRITTEN.source.text]);
      await page.getByText("What the model wrote is a draft of its own.").waitFor();
      await drawn(page);
      expect(await title.inputValue()).toBe("Typed meanwhile");
      await page.getByRole("button", { name: "History" }).click();
      const version = /\/versions\/\d+$/;
      const restore = await hold(page, version);
      await page.getByRole("button", { name: "Restore" }).first().click();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      const read = page.waitForResponse(version);
      restore();
      await (await read).finished();
      await drawn(page);
      expect(await title.inputValue()).toBe("Typed meanwhile");
    }));

  test("is told also where the model wrote nothing", () =>
    wander(
      "/drafts?dialog=write",
      async (page) => {
        const letGo = await write(page);
        letGo();
        await page.getByRole("alert").getByText("The model gave no article.").waitFor();
      },
      {
        fixtures: {
          "POST /api/accounts/:account/drafts/write": () =>
            refusal(502, "writing_failed", "The model gave no article."),
        },
      },
    ));

  test("leads nobody from another page to the list of what was deleted", () =>
    wander("/keys", async (page) => {
      await page.getByRole("link", { name: "Production backend" }).click();
      await page.getByRole("button", { name: "Delete" }).click();
      const remove = page.getByRole("dialog").getByRole("button", { name: "Delete" });
      await remove.waitFor();
      const letGo = await hold(page, /\/keys\/key_8fK2mQ4x$/);
      await remove.click();
      await page.goBack();
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await page.getByRole("link", { name: "Usage" }).click();
      await page.getByRole("heading", { level: 1, name: "Usage" }).waitFor();
      letGo();
      await page.getByRole("status").getByText("Production backend is deleted.").waitFor();
      await drawn(page);
      await seePath(page, "/console/usage");
    }));

  test("leads nobody to what was taken over from a box", () =>
    wander("/drafts?dialog=import", async (page) => {
      const dialog = page.getByRole("dialog");
      const taking = /\/drafts\/import$/;
      await page.route(taking, (route) => route.fulfill({ json: { id: "drf_2aB4" } }));
      const letGo = await hold(page, taking);
      await dialog.getByRole("button", { name: "Import" }).first().click();
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
      const listed = page.waitForRequest((asked) => asked.url().endsWith("/drafts"));
      letGo();
      await listed;
      await drawn(page);
      await seePath(page, "/console/drafts");
    }));
});
