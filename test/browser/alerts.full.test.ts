// What somebody may not change of the alerts is shown, and cannot be pressed.
import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { Fixtures } from "../../web/fixtures/fixture.ts";
import { ALERTS } from "../../web/fixtures/wallet.ts";
import { CHINESE, ENGLISH } from "./chromium.ts";
import { suiteWindows } from "./suite-windows.ts";

const { visit } = suiteWindows();

const PATH = "/wallet?tab=alerts";

/** Those switches that can be pressed, by their words. */
async function pressable(page: Page): Promise<readonly (string | null)[]> {
  await page.getByRole("switch").first().waitFor();
  const switches = page.locator("[role=switch]:not([data-disabled])");
  return switches.evaluateAll((all) => all.map((each) => each.getAttribute("aria-label")));
}

describe("an owner of the operator's account who is no operator", () => {
  const operators_only = ["vendor_down", "email", "webhook"];
  const fixtures: Fixtures = {
    "GET /api/accounts/:account/alerts": () => ({ ...ALERTS, operators_only }),
  };

  test("changes what is about the account, and reads who changes the rest", () =>
    visit(
      PATH,
      async (page) => {
        expect(await pressable(page)).toEqual([
          "Low balance",
          "Budgets of keys",
          "Unusual spending",
          "Model retirements",
        ]);
        expect(await page.getByText("Only operators change", { exact: false }).count()).toBe(1);
        expect(await page.getByLabel("Address").isDisabled()).toBe(true);
        expect(await page.getByRole("button", { name: "Remove" }).count()).toBe(0);
      },
      { look: ENGLISH, fixtures },
    ));

  test("reads it in Chinese too", () =>
    visit(PATH, (page) => page.getByText("只有管理员").waitFor(), { look: CHINESE, fixtures }));
});

test("an operator changes all of it", () =>
  visit(
    PATH,
    async (page) => {
      expect(await pressable(page)).toContain("E-mail to the owners");
      expect(await pressable(page)).toContain("Send to the webhook");
      expect(await page.getByText("Only operators change", { exact: false }).count()).toBe(0);
    },
    { look: ENGLISH },
  ));
