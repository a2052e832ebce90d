// Answers that come late, or not at all, where there is time: what is seldom left half-way.
import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { ARTICLE as WRITTEN } from "../../web/fixtures/drafts.ts";
import { type Fixtures, refusal } from "../../web/fixtures/fixture.ts";
import { GUARDED_ME } from "../../web/fixtures/session.ts";
import { seePath } from "./seeing/address.ts";
import { hold } from "./steps/held-answers.ts";
import { suiteWindows } from "./suite-windows.ts";
import { drawn, followLink } from "./windows.ts";

const { visit, wander } = suiteWindows();

const UNANSWERED = "This could not be loaded";

describe("an answer that does not come", () => {
  /** Pages of one thing; `named` is the heading that it has when it is answered for. */
  const PAGES = [
    ["/keys/key_8fK2mQ4x", /\/api\/accounts\/[^/]+\/keys\/key_8fK2mQ4x$/, "Production backend"],
    ["/drafts/drf_2aB4", /\/api\/accounts\/[^/]+\/drafts\/drf_2aB4$/, "Holds and charges"],
    ["/invitation#t", /\/api\/invitations\/open$/, "Join Analytical Engines"],
    ["/welcome#t", /\/api\/operator-link\/open$/, "Set up Faregate"],
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

test("an account whose making was not answered is told of without other answers", () =>
  wander("/operator/accounts?new=1", async (page) => {
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name", { exact: true }).fill("Acme");
    const letGo = await hold(page, /\/operator\/accounts/);
    await page.route(/\/operator\/accounts$/, (route) =>
      route.request().method() === "POST" ? route.abort() : route.fallback(),
    );
    await dialog.locator("button[type=submit]").click();
    await dialog.getByRole("alert").waitFor();
    letGo();
  }));

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

test("a dialog saves no channel that was given up while it was tried", () =>
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

const dialogOf = (page: Page) => page.getByRole("dialog");

/** Of a drawer or dialog the last button at its foot, which is the one for changes. */
const change = (page: Page) => dialogOf(page).locator("footer button").last().click();

interface Done {
  readonly what: string;
  readonly path: string;
  /** Up to the form. */
  readonly open?: (page: Page) => Promise<void>;
  readonly fields: Readonly<Record<string, string>>;
  /** What is read again behind it. */
  readonly behind: RegExp;
  readonly fixtures?: Fixtures;
}

const IN_DIALOGS: readonly Done[] = [
  {
    what: "a channel that was added",
    path: "/operator/channels?new=1",
    fields: { "Vendor keys": "sk-good" },
    behind: /\/operator\/channels$/,
  },
  {
    what: "a channel that was changed",
    path: "/operator/channels?channel=openai",
    open: change,
    fields: { Name: "Another name" },
    behind: /\/operator\/channels$/,
  },
  {
    what: "a model that was added",
    path: "/operator/models?new=1",
    fields: {
      "Model id": "team/model-1",
      "Made by": "acme",
      "Context, tokens": "128000",
      "Maximum output, tokens": "8192",
      "Name at the vendor": "vllm=model-1",
      "Input price": "1",
      "Output price": "2",
    },
    behind: /\/operator\/models$/,
  },
  {
    what: "a public account that was added",
    path: "/drafts?dialog=accounts",
    open: change,
    fields: { Name: "Shop", AppID: "wx0000000000000000", AppSecret: "secret" },
    behind: /\/public-accounts$/,
  },
  {
    what: "an account that was changed",
    path: "/operator/accounts/acct_2Wd8Hn",
    open: (page) => page.getByRole("button", { name: "Edit" }).click(),
    fields: { Name: "Another name" },
    behind: /\/operator\/accounts|\/api\/me$/,
  },
  {
    what: "two-factor that was turned off",
    path: "/settings?tab=security",
    open: (page) => page.getByRole("button", { name: "Turn off" }).click(),
    fields: { "Confirm with your password": "a good password" },
    behind: /\/api\/me$/,
    fixtures: { "GET /api/me": () => GUARDED_ME },
  },
];

describe("a dialog does not stay open for the page behind it, of", () => {
  test.each(IN_DIALOGS.map((done) => [done.what, done] as const))("%s", (_, done) =>
    visit(
      done.path,
      async (page) => {
        await done.open?.(page);
        const form = dialogOf(page).locator("form");
        for (const [label, text] of Object.entries(done.fields)) {
          await form.getByLabel(new RegExp(`^${label}`)).fill(text);
        }
        const letGo = await hold(page, done.behind, "GET");
        await dialogOf(page).locator("button[type=submit]").click();
        await form.waitFor({ state: "detached" });
        letGo();
      },
      { fixtures: done.fixtures ?? {} },
    ),
  );
});

test("the next question is no busier than the first one was", () =>
  visit("/operator/codes?batch=batch_7Kd2pQ", async (page) => {
    await page.getByRole("button", { name: "Revoke unused codes" }).waitFor();
    const letGo = await hold(page, /\/codes\/batches/, "GET");
    for (let times = 0; times < 2; times++) {
      await page.getByRole("button", { name: "Revoke unused codes" }).click();
      await page.getByRole("button", { name: "Revoke", exact: true }).click();
      await page
        .getByRole("button", { name: "Revoke", exact: true })
        .waitFor({ state: "detached" });
    }
    letGo();
  }));
