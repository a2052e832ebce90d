// How the console behaves under hands: keyboard, menus, the door, forms.
import { describe, expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { DRAFT_FIXTURES } from "../../web/fixtures/drafts.ts";
import { type Fixture, type Fixtures, refusal } from "../../web/fixtures/fixture.ts";
import { INSTALLATION } from "../../web/fixtures/prices.ts";
import { meAs, SESSION_ME } from "../../web/fixtures/session.ts";
import { comesTrue } from "../support/waiting.ts";
import { seePath } from "./address.ts";
import { ENGLISH, type Look } from "./chromium.ts";
import { holdFiles, plainPng } from "./steps/draft-steps.ts";
import { suiteWindows } from "./suite-windows.ts";
import { drawn, followLink } from "./windows.ts";

const PHONE: Look = { ...ENGLISH, width: "phone" };

const { visit, wander } = suiteWindows();

/** Nothing lies over it, and it is not scrolled away. */
async function inSight(shown: Locator): Promise<void> {
  await comesTrue(async () => {
    const { x, y, width, height } = (await shown.boundingBox()) ?? expect.unreachable();
    const [across, down] = [x + width / 2, y + height / 2];
    const seen = `document.elementFromPoint(${across}, ${down})?.textContent`;
    expect(await shown.page().evaluate(seen)).toBe(await shown.textContent());
  });
}

const heading = (page: Page) => page.getByRole("heading", { level: 1 });

describe("the keyboard", () => {
  test("opens the palette, finds a page and goes there", () =>
    wander("/keys", async (page) => {
      await heading(page).waitFor();
      await page.keyboard.press("Control+k");
      await page.locator("[role=combobox]:focus").waitFor();
      await page.keyboard.type("wal");
      await page.locator("[role=option][data-highlighted]", { hasText: "Wallet" }).waitFor();
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { level: 1, name: "Wallet" }).waitFor();
      await seePath(page, "/console/wallet");
    }));

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

describe("the menus", () => {
  test("change language and theme at once, and both outlive a reload", () =>
    visit("/keys", async (page) => {
      await page.getByRole("button", { name: "Ada Lovelace" }).click();
      await page.getByRole("menuitemradio", { name: "简体中文" }).click();
      await page.getByRole("heading", { level: 1, name: "密钥" }).waitFor();
      await page.getByRole("menuitemradio", { name: "深色" }).click();
      await page.reload();
      await page.getByRole("heading", { level: 1, name: "密钥" }).waitFor();
      await page.locator("html[data-theme=dark]").waitFor();
    }));

  test("say so when the words of another language do not come, and take them when they do", () =>
    visit("/keys", async (page) => {
      await page.getByRole("button", { name: "Ada Lovelace" }).click();
      const chinese = page.getByRole("menuitemradio", { name: "简体中文" });
      await page.route("**/*.js*", (route) => route.abort());
      await chinese.click();
      await page.getByRole("alert").getByText("cannot be reached").waitFor();
      expect(await page.getByRole("heading", { level: 1, name: "Keys" }).isVisible()).toBe(true);
      await page.unrouteAll();
      await chinese.click();
      await page.getByRole("heading", { level: 1, name: "密钥" }).waitFor();
    }));

  test("open pages in the language that is shown when another one cannot be had", () =>
    visit("/keys", async (page) => {
      await page.route("**/*.js*", async (route) => {
        const response = await route.fetch();
        if (/\p{Script=Han}/u.test(await response.text())) await route.abort();
        else await route.fulfill({ response });
      });
      await page.getByRole("button", { name: "Ada Lovelace" }).click();
      await page.getByRole("menuitemradio", { name: "简体中文" }).click();
      await page.getByRole("alert").getByText("cannot be reached").waitFor();
      await page.getByRole("menuitem", { name: "Settings" }).click();
      await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
    }));

  test("bring a page back whose dialog did not come", () =>
    visit("/keys", async (page) => {
      const create = page.getByRole("button", { name: "Create key" });
      await create.waitFor();
      await page.route("**/*.js*", (route) => route.abort());
      await create.click();
      await page.getByText("cannot be reached").waitFor();
      await page.unrouteAll();
      await page.getByRole("button", { name: "Try again" }).click();
      // It is in the address, so it opens with the page.
      await page.getByRole("dialog", { name: "New key" }).waitFor();
    }));

  test("keep the console where a page cannot be had from a server that is away", () =>
    visit("/keys", async (page) => {
      await heading(page).waitFor();
      await page.route("**/*", (route) => route.abort());
      await page.getByRole("link", { name: "Models", exact: true }).click();
      await page.getByText("cannot be reached").waitFor();
      const again = page.getByRole("button", { name: "Try again" });
      const asked = page.waitForRequest("**/console");
      await again.click();
      await asked;
      await drawn(page);
      await page.unrouteAll();
      await again.click();
      await page.getByRole("heading", { level: 1, name: "Models" }).waitFor();
    }));

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
});

/** What is answered only to those who are signed in; any password does. */
class Door {
  readonly fixtures: Fixtures;
  isOpen = false;

  constructor(behind: Fixtures = {}) {
    const guarded = Object.entries({ ...SESSION_ME, ...behind }).map(
      ([name, fixture]): [string, Fixture] => [
        name,
        (call) => (this.isOpen ? fixture(call) : refusal(401, "not_signed_in", "Sign in first.")),
      ],
    );
    this.fixtures = {
      ...Object.fromEntries(guarded),
      "POST /api/auth/sign-in/email": () => {
        this.isOpen = true;
        return { user: {} };
      },
    };
  }
}

async function signIn(page: Page): Promise<void> {
  await page.getByLabel("E-mail").fill("ada@example.com");
  await page.getByLabel("Password").fill("right");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

describe("the door", () => {
  test("lets nobody in without a session, and leads back to where they wanted to go", () =>
    visit(
      "/keys?new=1",
      async (page) => {
        await page.waitForURL("**/console/sign-in**");
        await signIn(page);
        await page.getByRole("dialog", { name: "New key" }).waitFor();
        await seePath(page, "/console/keys?new=1");
      },
      { fixtures: new Door().fixtures },
    ));

  test.each(["//evil.example", "https://evil.example", "/\\evil.example"])(
    "does not lead out of the console: %s",
    (to) =>
      visit(
        `/sign-in?to=${encodeURIComponent(to)}`,
        async (page) => {
          await signIn(page);
          await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
          expect(new URL(page.url()).hostname).toBe("localhost");
        },
        { fixtures: new Door().fixtures },
      ),
  );

  test("is shown where a session has ended, and what was typed by then is kept and saved", () => {
    const door = new Door(DRAFT_FIXTURES);
    door.isOpen = true;
    return visit(
      "/drafts/drf_2aB4",
      async (page) => {
        const title = page.getByLabel("Title", { exact: true });
        await title.waitFor();
        door.isOpen = false;
        await title.fill("Typed too late");
        const ended = page.getByRole("alert").filter({ hasText: "Your session has ended." });
        await ended.waitFor();
        await page.getByRole("status").getByText("Not saved until you sign in.").waitFor();
        // Other pages lead there too, also above a dialog, and lose nothing.
        await page.getByRole("link", { name: "Wallet" }).click();
        await page.getByRole("button", { name: "Top up" }).first().click();
        await page.getByRole("dialog").waitFor();
        await ended.getByRole("link", { name: "Sign in" }).click();
        await page.waitForURL("**/console/sign-in?to=*wallet*");
        await page.goBack();
        await followLink(page, "/drafts/drf_2aB4");
        expect(await title.inputValue()).toBe("Typed too late");
        await ended.getByRole("link", { name: "Sign in" }).click();
        const saved = page.waitForRequest((asked) => asked.method() === "PUT" && door.isOpen);
        await signIn(page);
        expect((await saved).postDataJSON().articles[0].title).toBe("Typed too late");
        await seePath(page, "/console/drafts/drf_2aB4");
        await page.getByRole("status").getByText("Saved").waitFor();
        expect(await title.inputValue()).toBe("Typed too late");
        expect(await ended.count()).toBe(0);
      },
      { fixtures: door.fixtures },
    );
  });
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

test("whoever signs in next does not see what somebody else has asked of models", () => {
  let user = "user_1";
  const door = new Door({ "GET /api/me": () => meAs(user) });
  door.isOpen = true;
  return visit(
    "/playground",
    async (page) => {
      const prompt = page.getByRole("textbox", { name: "Message", exact: true });
      const asked = page.getByRole("listitem").getByText("For my eyes", { exact: true });
      await page.getByText(/^To /).waitFor();
      await prompt.fill("For my eyes");
      await prompt.press("Enter");
      await asked.waitFor();
      await prompt.fill("Half a thought");
      door.isOpen = false;
      for (const [next, count, typed] of [
        ["user_2", 0, ""],
        ["user_1", 1, "Half a thought"],
      ] as const) {
        user = next;
        await followLink(page, "/sign-in?to=/playground");
        await signIn(page);
        await prompt.waitFor();
        await drawn(page);
        expect([await asked.count(), await prompt.inputValue()]).toEqual([count, typed]);
      }
    },
    { fixtures: door.fixtures },
  );
});

describe("a form", () => {
  test("shows what the API refuses at its field", () =>
    wander("/keys?new=1", async (page) => {
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Name").fill("taken");
      await dialog.getByRole("button", { name: "Create key" }).click();
      await dialog.getByText("Another key has this name.").waitFor();
      await dialog.getByLabel("Name").and(page.locator("[aria-invalid=true]")).waitFor();
    }));

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

describe("a key", () => {
  test("asks before it is turned off, then tells", () =>
    wander("/keys", async (page) => {
      await page.getByRole("switch", { name: "Enable Production backend" }).click();
      const dialog = page.getByRole("dialog", { name: "Disable Production backend?" });
      await dialog.getByRole("button", { name: "Disable" }).click();
      await page.getByText("Production backend is disabled.").waitFor();
      await dialog.waitFor({ state: "detached" });
    }));

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

  test("is changed as a whole in one dialog", () =>
    wander("/keys/key_5pD9sV2h", async (page) => {
      await page.getByRole("button", { name: "Edit", exact: true }).click();
      const dialog = page.getByRole("dialog", { name: "Edit 客服机器人" });
      await dialog.getByLabel("Name", { exact: true }).fill("Service");
      await dialog.getByLabel("Monthly budget").fill("25");
      await dialog.getByLabel("Requests per minute").fill("60");
      await dialog.getByLabel("Search models").fill("gpt-5.6");
      await dialog.getByRole("listitem").getByRole("checkbox").first().click();
      await dialog.getByLabel("Expires").fill("2026-12-24");
      await dialog.getByLabel("Allowed addresses").fill("10.0.0.0/8");
      await dialog.getByRole("checkbox", { name: /^Never above its budget/ }).click();
      const sent = page.waitForRequest((request) => request.method() === "PATCH");
      await dialog.getByRole("button", { name: "Save" }).click();
      expect((await sent).postDataJSON()).toMatchObject({
        name: "Service",
        budgets: [
          { amount: "10", period: "total" },
          { amount: "25", period: "month", time_zone: "Europe/Berlin" },
        ],
        rpm: 60,
        models: ["gpt-5.2-mini", "claude-haiku-4.5", "gpt-5.6"],
        expires_at: "2026-12-24T23:00:00.000Z",
        networks: ["10.0.0.0/8"],
        hard: true,
      });
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

  test("shows its secret once", () =>
    wander("/keys?new=1", async (page) => {
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Name").fill("App");
      await dialog.getByRole("button", { name: "Create key" }).click();
      await page.getByText("Authorization: Bearer sk-fg-").waitFor();
      // A key that is pressed by habit does not take it away.
      await page.keyboard.press("Escape");
      await drawn(page);
      expect(await page.getByLabel("Secret", { exact: true }).textContent()).toStartWith("sk-fg-");
      await dialog.getByRole("button", { name: "I saved it" }).click();
      await dialog.waitFor({ state: "detached" });
      expect(await page.content()).not.toContain("sk-fg-");
    }));
});

test("codes that were made stay until they are said to be saved", () =>
  wander("/operator/codes?new=1", async (page) => {
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("How many").fill("2");
    await dialog.getByLabel("Worth").fill("5");
    await dialog.locator("button[type=submit]").click();
    const codes = dialog.locator("textarea");
    await codes.waitFor();
    await page.keyboard.press("Escape");
    await drawn(page);
    await codes.waitFor();
    await dialog.getByRole("button", { name: "I have saved them" }).click();
    await dialog.waitFor({ state: "detached" });
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
