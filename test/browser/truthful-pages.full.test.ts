// Pages that say what is so, over fixtures in real Chromium: names of any length, names instead of ids, what a reader
// can do, and what a key pressed by habit must not throw away.
import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { Fixtures } from "../../web/fixtures/fixture.ts";
import { listOf } from "../../web/fixtures/fixture.ts";
import { KEYS } from "../../web/fixtures/keys.ts";
import { RECEIPTS } from "../../web/fixtures/requests.ts";
import { AS_OWNER, meAs } from "../../web/fixtures/session.ts";
import { FACTS } from "../../web/fixtures/system.ts";
import { ALERTS, WALLET } from "../../web/fixtures/wallet.ts";
import { comesTrue } from "../support/waiting.ts";
import { CHINESE, ENGLISH, type Look } from "./chromium.ts";
import { suiteWindows } from "./suite-windows.ts";

const { visit } = suiteWindows();

const LONG = "n".repeat(100);
const LONG_KEYS = KEYS.map((key) => ({ ...key, name: LONG }));
const LONG_NAMES: Fixtures = {
  "GET /api/accounts/:account/keys": () => listOf(LONG_KEYS),
  "GET /api/operator/audit": () =>
    listOf([
      {
        object: "audit_record",
        id: "aud_1",
        at: "2026-11-15T09:00:00.000Z",
        created_at: "2026-11-15T09:00:00.000Z",
        account_id: "acct_7Qm2Zt",
        account_name: LONG,
        actor: `${"a".repeat(60)}@example.com`,
        actor_name: null,
        action: "key.create",
        target: "key_1",
        target_name: LONG,
        detail: { name: LONG },
        changes: null,
      },
    ]),
};

/** How far the first table of a page reaches beyond its card. */
function hiddenWidth(page: Page): Promise<number> {
  return page.evaluate<number>(
    `(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector("main section:has(> table)"))`,
  );
}

describe("a name of a hundred letters", () => {
  const PLACES = ["/keys", "/operator/audit", "/operator/accounts/acct_7Qm2Zt/limits"];
  test.each(PLACES)("stays in its column of %s", (path) =>
    visit(
      path,
      async (page) => {
        await page.locator("main tbody").getByText(LONG).first().waitFor();
        await comesTrue(async () => expect(await hiddenWidth(page)).toBe(0));
      },
      { fixtures: LONG_NAMES },
    ),
  );
});

test("the part of an account that is shown is the current one, and within a phone's width", () =>
  visit(
    "/operator/accounts/acct_2Wd8Hn/limits",
    async (page) => {
      const parts = page.getByRole("navigation", { name: "账户页面" });
      await parts.waitFor();
      const current = parts.locator("[aria-current]");
      expect(await current.allTextContents()).toEqual(["限额"]);
      await comesTrue(async () => {
        const { x = 0, width = 0 } = (await current.boundingBox()) ?? {};
        expect(x + width).toBeLessThanOrEqual(390);
      });
    },
    { look: CHINESE },
  ));

test("the keys of a filter are found by their names", () =>
  visit("/requests", async (page) => {
    const key = page.getByRole("combobox", { name: "Key", exact: true });
    await key.fill("nightly");
    await page
      .locator("datalist option[value='Nightly evaluation']")
      .waitFor({ state: "attached" });
    await key.press("Enter");
    await page.waitForURL(/key=key_1zX6yL0r/);
    await comesTrue(async () => expect(await key.inputValue()).toBe("Nightly evaluation"));
  }));

describe("a time zone", () => {
  /** A server that keeps the zone of the visitor. */
  function keeping() {
    const sent: unknown[] = [];
    const visitor = meAs("user_1");
    let zone: unknown = "Europe/Berlin";
    const me = () => ({ ...visitor, user: { ...visitor.user, time_zone: zone } });
    const fixtures: Fixtures = {
      "GET /api/me": me,
      "PATCH /api/me": ({ body }) => {
        sent.push(body);
        zone = (body as { time_zone: unknown }).time_zone;
        return me();
      },
    };
    return { sent, fixtures };
  }

  test.each<[Look, string, string, string]>([
    [ENGLISH, "Time zone", "As the browser: Europe / Berlin", "No time zone has this name"],
    [CHINESE, "时区", "跟随浏览器：Europe / Berlin", "没有这个时区"],
  ])("is found by a part of its name with the keyboard, %#", async (look, name, own, unknown) => {
    const { sent, fixtures } = keeping();
    const seen = async (page: Page) => {
      const field = page.getByRole("combobox", { name, exact: true });
      await field.focus();
      // What is there is replaced by what is typed.
      await page.keyboard.type("new york");
      await page.keyboard.press("Enter");
      await comesTrue(async () => expect(await field.inputValue()).toBe("America / New York"));
      await field.fill("Beijing");
      await page.keyboard.press("Tab");
      await page.getByText(unknown).waitFor();
      expect(await field.getAttribute("aria-invalid")).toBe("true");
      await field.fill("");
      await page.keyboard.press("Enter");
      await comesTrue(async () => expect(await field.inputValue()).toBe("America / New York"));
      expect(await page.getByText(unknown).count()).toBe(0);
      await field.fill(own);
      await comesTrue(async () => expect(await field.inputValue()).toBe(own));
      expect(sent).toEqual([{ time_zone: "America/New_York" }, { time_zone: null }]);
    };
    await visit("/settings", seen, { look, fixtures });
  });

  test("that nobody knows keeps a key from being saved", async () => {
    const sent: { budgets: unknown }[] = [];
    const fixtures: Fixtures = {
      "POST /api/accounts/:account/keys": ({ body }) => {
        sent.push(body as { budgets: unknown });
        return { ...KEYS[0], secret: "sk-fg-new" };
      },
    };
    const seen = async (page: Page) => {
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Name").fill("nightly");
      await dialog.getByLabel("Daily budget").fill("2");
      const zone = dialog.getByRole("combobox", { name: "Time zone", exact: true });
      await zone.fill("Beijing");
      await dialog.getByRole("button", { name: "Create key" }).click();
      await dialog.getByText("No time zone has this name").waitFor();
      expect(sent).toEqual([]);
      await zone.fill("shanghai");
      await zone.press("Tab");
      await comesTrue(async () => expect(await zone.inputValue()).toBe("Asia / Shanghai"));
      await dialog.getByRole("button", { name: "Create key" }).click();
      await comesTrue(async () => expect(sent).toHaveLength(1));
      expect(sent[0]?.budgets).toEqual([
        { amount: "2", period: "day", time_zone: "Asia/Shanghai" },
      ]);
    };
    await visit("/keys?new=1", seen, { fixtures });
  });
});

test("Escape asks before it throws typed vendor keys away", () =>
  visit("/operator/channels?new=1", async (page) => {
    const dialog = page.getByRole("dialog");
    const keys = dialog.getByLabel("Vendor keys");
    await keys.fill("sk-typed");
    await page.keyboard.press("Escape");
    await dialog.getByText("Discard what you typed?").waitFor();
    await dialog.getByRole("button", { name: "Keep editing" }).click();
    expect(await keys.inputValue()).toBe("sk-typed");
    await page.keyboard.press("Escape");
    await dialog.getByRole("button", { name: "Discard" }).click();
    await dialog.waitFor({ state: "detached" });
  }));

test("operators read the names of channels in the ledger and the system", async () => {
  await visit("/operator/ledger", (page) => page.getByText("OpenAI main").waitFor());
  const channels = [{ id: "openai", vendor: "openai", enabled: true, state: "ok" }];
  await visit("/operator/system", (page) => page.getByText("OpenAI main").waitFor(), {
    fixtures: { "GET /api/operator/system": () => ({ ...FACTS, channels }) },
  });
});

describe("customers", () => {
  const AS_CUSTOMER: Fixtures = {
    ...AS_OWNER,
    "GET /api/accounts/:account/wallet": () => ({ ...WALLET, providers: [] }),
    "GET /api/accounts/:account/alerts": () => ({
      ...ALERTS,
      email: { ...ALERTS.email, configured: false },
    }),
  };

  test("read times and no ids in their statement, and are offered a code where nothing can be paid", () =>
    visit(
      "/wallet",
      async (page) => {
        await page.locator("main tbody time").first().waitFor();
        const statement = await page.locator("main tbody").textContent();
        expect(statement).toMatch(/\d\d:\d\d/);
        expect(statement).not.toMatch(/(?:crd|ord|ref|code)_/);
        expect(await page.getByRole("button", { name: "Top up" }).count()).toBe(0);
        await page.goto(`${page.url()}?dialog=topup`);
        const dialog = page.getByRole("dialog", { name: "Redeem a code" });
        await dialog.getByText("No online payment is set up here").waitFor();
      },
      { fixtures: AS_CUSTOMER },
    ));

  test("read no names of settings", () =>
    visit(
      "/wallet?tab=alerts",
      async (page) => {
        await page.getByText("This service does not send e-mail").waitFor();
        expect(await page.locator("main").textContent()).not.toContain("FAREGATE_");
      },
      { fixtures: AS_CUSTOMER },
    ));
});

test("a receipt of a request that reached no vendor says so, and has no line of a loss of nothing", () => {
  const [failed] = RECEIPTS.filter(({ billing_reason }) => billing_reason === "upstream_failed");
  if (!failed) throw new Error("no fixture failed");
  const receipt = {
    ...failed,
    ...{ channel: null, served_model: null, attempts: [], vendor_called: false, loss: "0.0" },
  };
  return visit(
    `/requests?request=${failed.id}`,
    async (page) => {
      const drawer = page.getByRole("dialog");
      await drawer.getByText("No vendor was called: every channel").waitFor();
      await drawer.getByText("No vendor was called.", { exact: true }).waitFor();
      const words = await drawer.textContent();
      expect(words).not.toContain("One call to a vendor");
      expect(words).not.toContain("Loss");
    },
    { fixtures: { "GET /api/accounts/:account/requests/:id": () => receipt } },
  );
});

test("an account in use needs no set-up, and its drafts have a tab", () =>
  visit(
    "/operator/accounts/acct_7Qm2Zt",
    async (page) => {
      await page.getByRole("link", { name: "Drafts" }).last().waitFor();
      await page.getByRole("heading", { name: "Last requests" }).waitFor();
      expect(await page.getByText("Finish setting up").count()).toBe(0);
    },
    {
      fixtures: {
        "GET /api/accounts/:account/members": () => listOf([]),
        "GET /api/accounts/:account/invitations": () => listOf([]),
      },
    },
  ));

test("failures are red, with their share and the way to them", async () => {
  await visit("/usage?metric=requests", (page) =>
    page.locator("[fill='var(--bad-fill)']").first().waitFor(),
  );
  await visit("/", async (page) => {
    const share = page.getByRole("link", { name: "2% of requests" });
    await share.waitFor();
    expect(await share.getAttribute("href")).toContain("/requests?from=2026-11-15&to=2026-11-15");
    const count = page.locator("dl > div", { has: share }).locator(".text-bad");
    expect(await count.textContent()).toBe("3");
  });
});
