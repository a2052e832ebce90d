// Amounts as pages tell them: no balance is more than there is, and no price another than is charged.
import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { Overview } from "../../src/console/contract/overview.ts";
import type { Fixtures } from "../../web/fixtures/fixture.ts";
import { MODELS } from "../../web/fixtures/models.ts";
import { AS_OWNER } from "../../web/fixtures/session.ts";
import { DAY_ONE_OVERVIEW } from "../../web/fixtures/usage.ts";
import { WALLET } from "../../web/fixtures/wallet.ts";
import { CHINESE, ENGLISH, type Look } from "./chromium.ts";
import { faultsOf } from "./seeing/inspection.ts";
import { suiteWindows } from "./suite-windows.ts";

const { visit } = suiteWindows();

/** What a page or the dialog before it says, and nothing sticks out of it on a phone. */
async function expectSaid(page: Page, ...amounts: string[]): Promise<void> {
  const scene = { name: "amounts", path: "", says: () => amounts };
  expect(await faultsOf(page, scene, CHINESE)).toEqual([]);
}

describe("a balance that is nearly a round one", () => {
  const wallet = { ...WALLET, balance: "9.996" };
  const fixtures: Fixtures = { "GET /api/accounts/:account/wallet": () => wallet };

  test.each(["/wallet", "/operator/accounts/acct_2Wd8Hn/wallet"])(
    "is not rounded up in %s",
    (path) => visit(path, (page) => expectSaid(page, "$9.99"), { look: CHINESE, fixtures }),
  );

  test("is all that an operator is offered to give back", () => {
    const path = "/operator/accounts/acct_2Wd8Hn/wallet?dialog=giveback";
    const seen = async (page: Page) => {
      const dialog = page.getByRole("dialog");
      await dialog.waitFor();
      expect(await dialog.textContent()).toContain("$9.99");
    };
    return visit(path, seen, { look: CHINESE, fixtures });
  });
});

describe("an overdraft that the operator allows", () => {
  const overview = (change: Partial<Overview>): Fixtures => ({
    "GET /api/accounts/:account/overview": () => ({ ...DAY_ONE_OVERVIEW, ...change }),
  });

  test.each<[Look, string]>([
    [ENGLISH, "With the overdraft of $5.00, $1.79 can be spent"],
    [CHINESE, "含透支额度 $5.00，共可用 $1.79"],
  ])("is told to its customer with what can be spent, %#", (look, words) => {
    const fixtures = { ...AS_OWNER, ...overview({ balance: "-3.201946", overdraft: "5.0" }) };
    const seen = (page: Page) => page.getByText(words).waitFor();
    return visit("/", seen, { look, fixtures });
  });

  test("of zero is not told", () => {
    const seen = async (page: Page) => {
      await page.getByText("held now").waitFor();
      expect(await page.getByText("can be spent").count()).toBe(0);
    };
    return visit("/", seen, { fixtures: { ...AS_OWNER, ...overview({}) } });
  });
});

describe("a price with more digits than cents have", () => {
  const rates = { input: "2.8125", cache_read: "0.28125", output: "28.046875" };
  const models = MODELS.map((model) => ({
    ...model,
    price: model.price && { ...model.price, ...rates, web_search_per_thousand: "11.25625" },
  }));
  const fixtures: Fixtures = {
    "GET /api/accounts/:account/models": () => ({ object: "list", data: models, next: null }),
  };

  test("is told with every one, in the list and in the drawer", () =>
    visit(
      "/models",
      async (page) => {
        await expectSaid(page, "$2.8125", "$28.046875");
        await page.locator("main tbody [data-opens]").first().click();
        await page.getByRole("dialog").waitFor();
        await expectSaid(page, "$2.8125", "$0.28125", "$28.046875", "$11.25625");
      },
      { look: CHINESE, fixtures },
    ));
});
