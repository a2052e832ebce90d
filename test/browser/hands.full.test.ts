// How the console behaves under hands, where there is time: what is seldom done, or seldom goes wrong.
import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { type Fixtures, refusal } from "../../web/fixtures/fixture.ts";
import { INSTALLATION } from "../../web/fixtures/prices.ts";
import { comesTrue } from "../support/waiting.ts";
import { ENGLISH, type Look } from "./chromium.ts";
import { seePath } from "./seeing/address.ts";
import { inSight } from "./seeing/in-sight.ts";
import { holdFiles, plainPng } from "./steps/draft-steps.ts";
import { suiteWindows } from "./suite-windows.ts";
import { followLink } from "./windows.ts";

const PHONE: Look = { ...ENGLISH, width: "phone" };

const { visit, wander } = suiteWindows();

const heading = (page: Page) => page.getByRole("heading", { level: 1 });

describe("on a phone", () => {
  test("of a phone opens, and closes where it leads to", () =>
    visit(
      "/keys",
      async (page) => {
        await page.getByRole("button", { name: "Menu" }).click();
        await page.getByRole("dialog").getByRole("link", { name: "Usage" }).click();
        await page.waitForURL("**/console/usage");
        await page.getByRole("dialog").waitFor({ state: "detached" });
        // It leads there as well from there.
        await page.getByRole("button", { name: "Menu" }).click();
        await page.getByRole("dialog").getByRole("link", { name: "Usage" }).click();
        await page.getByRole("dialog").waitFor({ state: "detached" });
      },
      { look: PHONE },
    ));

  test("has room for its switch on a phone, however small its budget is", () =>
    visit(
      "/keys",
      async (page) => {
        await page.route(/\/api\/accounts\/[^/]+\/keys$/, async (route) => {
          const list = await (await route.fetch()).json();
          const [budget] = list.data[0].budgets;
          list.data[0].budgets = [{ ...budget, amount: "0.00001", used: "0.000107" }];
          await route.fulfill({ json: list });
        });
        await page.reload();
        const used = await page.getByText("1,070%").boundingBox();
        const { x } = (await page.getByRole("switch").first().boundingBox()) ?? { x: 0 };
        expect((used?.x ?? x) + (used?.width ?? 0)).toBeLessThanOrEqual(x);
      },
      { look: PHONE },
    ));
});

describe("a form", () => {
  test("sends nothing that is wrong already", () =>
    wander("/keys?new=1", async (page) => {
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Daily budget").fill("ten");
      await dialog.getByRole("button", { name: "Create key" }).click();
      await dialog.getByText("Fill this in.").waitFor();
      await dialog.getByText("Enter an amount above 0").waitFor();
    }));

  test("leads to what is wrong with it, wherever somebody has scrolled to", () =>
    wander("/keys?new=1", async (page) => {
      const dialog = page.getByRole("dialog");
      await dialog.getByText("Limits, models and access").click();
      const networks = dialog.getByLabel("Allowed addresses");
      await networks.scrollIntoViewIfNeeded();
      await dialog.getByRole("button", { name: "Create key" }).click();
      const focused = page.locator(":focus");
      await dialog.getByLabel("Name", { exact: true }).and(focused).waitFor();
      await inSight(dialog.getByText("Fill this in."));
      await dialog.getByLabel("Name", { exact: true }).fill("taken");
      await networks.scrollIntoViewIfNeeded();
      await dialog.getByRole("button", { name: "Create key" }).click();
      await inSight(dialog.getByText("Another key has this name."));
      await dialog.getByLabel("Name", { exact: true }).and(focused).waitFor();
    }));

  test("takes back nothing that others have set since it was opened", () => {
    let settings = { ...INSTALLATION, signup: "open" };
    const fixtures: Fixtures = {
      "GET /api/operator/settings": () => settings,
      "PUT /api/operator/settings": ({ body }) => {
        settings = { ...settings, ...body };
        return settings;
      },
    };
    return wander(
      "/operator/settings",
      async (page) => {
        const card = page.locator("form", { has: page.getByLabel("Rate") });
        const save = async (label: string, typed: string) => {
          await card.getByLabel(label).fill(typed);
          const stored = page.waitForResponse((answer) => answer.request().method() === "PUT");
          await card.getByRole("button", { name: "Save" }).click();
          return (await stored).request().postDataJSON();
        };
        await card.waitFor();
        settings = { ...settings, signup: "closed" };
        expect(await save("Rate", "7.2")).toEqual({
          display_currency: { code: "CNY", rate: "7.2" },
        });
        settings = { ...settings, display_currency: { code: "CNY", rate: "7.3" } };
        expect(await save("Sign-up credit", "1")).toEqual({ signup_credit: "1" });
        expect(await save("Sign-up credit", "2")).toEqual({ signup_credit: "2" });
        expect(await card.getByLabel("Rate").inputValue()).toBe("7.3");
      },
      { fixtures },
    );
  });

  test("shows what came of a trial", () =>
    wander("/operator/channels?new=1", async (page) => {
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Vendor keys").fill("sk-wrong");
      await dialog.locator("summary").click();
      await dialog.getByRole("button", { name: "Test", exact: true }).click();
      await inSight(dialog.getByText("Failed", { exact: true }));
    }));

  test("gives the focus back to what opened it, also where a secret came in between", () =>
    wander("/keys", async (page) => {
      const create = page.getByRole("button", { name: "Create key" });
      const dialog = page.getByRole("dialog");
      const focused = page.locator(":focus");
      for (const close of ["Escape", "I saved it"]) {
        await create.first().click();
        await dialog.getByLabel("Name").and(focused).waitFor();
        if (close === "Escape") await page.keyboard.press("Escape");
        else {
          await page.keyboard.type("App");
          await page.keyboard.press("Enter");
          await dialog.getByRole("button", { name: close }).click();
        }
        await dialog.waitFor({ state: "detached" });
        await create.and(focused).waitFor();
      }
    }));

  test("shows what it has stored, though that cannot be read again", () => {
    let isStored = false;
    const fixtures: Fixtures = {
      "GET /api/operator/settings": () =>
        isStored
          ? refusal(403, "permission_denied", "No.")
          : { ...INSTALLATION, signup_credit: "0" },
      "PUT /api/operator/settings": () => {
        isStored = true;
        return { ...INSTALLATION, signup_credit: "25" };
      },
    };
    return visit(
      "/operator/settings",
      async (page) => {
        await page.getByLabel("Sign-up credit").fill("25");
        await page.getByRole("button", { name: "Save" }).click();
        await page.getByText("The settings are in force.").waitFor();
        expect(await page.getByLabel("Sign-up credit").inputValue()).toBe("25");
      },
      { fixtures },
    );
  });

  test("takes half a date for a mistake, and not for none", () =>
    wander("/keys/key_5pD9sV2h", async (page) => {
      await page.getByRole("button", { name: "Edit", exact: true }).click();
      const dialog = page.getByRole("dialog", { name: "Edit 客服机器人" });
      const changes: string[] = [];
      page.on("request", (request) => {
        if (request.method() === "PATCH") changes.push(request.url());
      });
      const expires = dialog.getByLabel("Expires");
      await expires.fill("");
      await expires.focus();
      await page.keyboard.type("12");
      await dialog.getByRole("button", { name: "Save" }).click();
      // The browser leads back to what it does not understand.
      await dialog.locator("input[type=date]:focus").waitFor();
      expect(changes).toEqual([]);
      await expires.fill("2027-12-24");
      const sent = page.waitForRequest((request) => request.method() === "PATCH");
      await dialog.getByRole("button", { name: "Save" }).click();
      expect((await sent).postDataJSON()).toMatchObject({ expires_at: "2027-12-24T23:00:00.000Z" });
    }));
});

test("a sign-out that fails is told, and one without a session is done", () => {
  const answers = [
    refusal(503, "storage_unavailable", "Not now."),
    refusal(401, "UNAUTHORIZED", "Nobody is signed in."),
  ];
  return visit(
    "/keys",
    async (page) => {
      const leave = async () => {
        await page.getByRole("button", { name: "Ada Lovelace" }).click();
        await page.getByRole("menuitem", { name: "Sign out" }).click();
      };
      await leave();
      await page.getByRole("alert").waitFor();
      await seePath(page, "/console/keys");
      await leave();
      await page.waitForURL("**/console/sign-in");
    },
    { fixtures: { "POST /api/auth/sign-out": () => answers.shift() } },
  );
});

test("pictures that are read at the same time all come into a text", () =>
  visit("/drafts/drf_2aB4", async (page) => {
    const text = page.getByLabel("Text", { exact: true });
    await text.waitFor();
    const readOn = await holdFiles(page);
    for (const name of ["one.png", "two.png"]) {
      const file = { name, mimeType: "image/png", buffer: plainPng() };
      await page.locator("input[type=file][multiple]").first().setInputFiles(file);
    }
    await readOn();
    await comesTrue(async () => {
      const written = await text.inputValue();
      expect(written).toContain("![one][picture-1]");
      expect(written).toContain("![two][picture-2]");
    });
  }));

test("pictures that are read at the same time all come into an image message", () =>
  visit("/drafts/drf_5nV8", async (page) => {
    const pictures = page.getByRole("region", { name: "Pictures" }).getByRole("listitem");
    await pictures.first().waitFor();
    const before = await pictures.count();
    const readOn = await holdFiles(page);
    for (const name of ["one.png", "two.png"]) {
      const file = { name, mimeType: "image/png", buffer: plainPng() };
      await page.locator("section input[type=file]").setInputFiles(file);
    }
    await readOn();
    await comesTrue(async () => expect(await pictures.count()).toBe(before + 2));
  }));

test("an operator stays in the account of a customer, whatever is made or deleted there", () => {
  const home = "/operator/accounts/acct_2Wd8Hn";
  return wander(`${home}/keys/key_8fK2mQ4x?dialog=delete`, async (page) => {
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Delete" }).click();
    await page.waitForURL(`**/console${home}/keys`);
    await followLink(page, `${home}/drafts`);
    await page.getByRole("button", { name: "New draft" }).first().click();
    await page.waitForURL(`**/console${home}/drafts/drf_2aB4`);
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await dialog.getByRole("button", { name: "Delete" }).click();
    await page.waitForURL(`**/console${home}/drafts`);
    await page.getByRole("button", { name: "Import" }).click();
    await dialog.getByRole("button", { name: "Open" }).first().click();
    await page.waitForURL(`**/console${home}/drafts/drf_*`);
    await followLink(page, `${home}/drafts?dialog=write`);
    await dialog.getByLabel("What should it be about?").fill("Prepaid billing");
    await dialog.locator("button[type=submit]").click();
    await page.waitForURL(`**/console${home}/drafts/drf_7pQ2`);
  });
});

describe("the keyboard", () => {
  test("closes with Esc what it opened, and gives the page back", () =>
    wander("/wallet", async (page) => {
      await heading(page).waitFor();
      await page.keyboard.press("/");
      await page.getByRole("combobox").waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("combobox").waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Top up" }).first().click();
      await page.getByRole("dialog").waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await seePath(page, "/console/wallet");
    }));

  test("goes to the search of a page that has one", () =>
    wander("/keys", async (page) => {
      await heading(page).waitFor();
      await page.keyboard.press("/");
      await page.locator("input[type=search]:focus").waitFor();
      await page.keyboard.type("codex");
      await page.getByRole("link", { name: "Production backend" }).waitFor({ state: "detached" });
      await page.getByRole("link", { name: "Codex on Grace's laptop" }).waitFor();
      await seePath(page, "/console/keys?q=codex");
    }));
});

describe("a search", () => {
  test("that is still being typed keeps what is chosen beside it", () =>
    wander("/requests", async (page) => {
      await page.getByRole("searchbox").fill("req_");
      await page.getByLabel("Status", { exact: true }).selectOption("error");
      // In whichever order they came.
      await page.waitForURL(({ searchParams }) => {
        return searchParams.get("q") === "req_" && searchParams.get("status") === "error";
      });
    }));
});

describe("a key", () => {
  test("asks before it is turned off, then tells", () =>
    wander("/keys", async (page) => {
      await page.getByRole("switch", { name: "Enable Production backend" }).click();
      const dialog = page.getByRole("dialog", { name: "Disable Production backend?" });
      await dialog.getByRole("button", { name: "Disable" }).click();
      await page.getByText("Production backend is disabled.").waitFor();
      await dialog.waitFor({ state: "detached" });
    }));

  test("gets another secret, and is told how long the one before works", () =>
    wander("/keys/key_8fK2mQ4x", async (page) => {
      await page.getByRole("button", { name: "New secret" }).click();
      const dialog = page.getByRole("dialog", { name: "New secret for Production backend" });
      await dialog.getByLabel(/works on for$/).selectOption("0");
      await dialog.getByText("Choose this where it has leaked.").waitFor();
      const sent = page.waitForRequest((request) => request.url().endsWith("/rotate"));
      await dialog.getByRole("button", { name: "New secret" }).click();
      expect((await sent).postDataJSON()).toEqual({ overlap_seconds: 0 });
      expect(await page.getByLabel("Secret", { exact: true }).textContent()).toStartWith("sk-fg-");
    }));

  test("that is deleted is still shown, and offers nothing to change", () =>
    wander("/keys/key_7gO3nE5d", async (page) => {
      await page.getByText("This key was deleted").waitFor();
      for (const name of ["Edit", "New secret", "Delete"]) {
        expect(await page.getByRole("button", { name, exact: true }).count()).toBe(0);
      }
    }));
});
