// The states of the operator's pages: channels, models and prices, the ledger.
import type { Page } from "playwright-core";
import { WRONG_BOOKS } from "../../web/fixtures/ledger.ts";
import type { Scene } from "./scenes.ts";

const dialog = (page: Page) => page.getByRole("dialog").waitFor();

/** The main button of the panel that is open. */
const submit = (page: Page) => page.getByRole("dialog").locator("button[type=submit]").click();

async function reviewed(page: Page): Promise<void> {
  await dialog(page);
  await page.getByRole("dialog").locator("table").waitFor();
}

export const OPERATOR_SCENES: readonly Scene[] = [
  { name: "channels", path: "/operator/channels" },
  {
    name: "channel-new",
    path: "/operator/channels?new=1",
    act: async (page) => {
      await dialog(page);
      await page.locator("summary").click();
    },
  },
  {
    name: "channel-refused",
    path: "/operator/channels?channel=anthropic",
    act: async (page) => {
      await dialog(page);
      await page.getByRole("dialog").locator("section button").last().click();
      await page.getByRole("dialog").getByText("642").waitFor();
    },
  },
  { name: "channel-keys", path: "/operator/channels?channel=openai", act: dialog },
  {
    name: "channel-edit",
    path: "/operator/channels?channel=openai",
    act: async (page) => {
      await dialog(page);
      await page.getByRole("dialog").locator("footer button").last().click();
      await page.locator("#edit-channel").waitFor();
    },
  },
  { name: "prices", path: "/operator/models" },
  { name: "price-versions", path: "/operator/models?model=gpt-5.2", act: dialog },
  {
    name: "price-change",
    path: "/operator/models?model=gpt-5.2",
    act: async (page) => {
      await dialog(page);
      await page.getByRole("dialog").locator("footer button").last().click();
      await page.locator("#price").waitFor();
    },
  },
  {
    name: "price-review",
    path: "/operator/models?model=gpt-5.2",
    act: async (page) => {
      await dialog(page);
      await page.getByRole("dialog").locator("footer button").last().click();
      await page.locator("#price input[type=date]").fill("2026-12-24");
      await submit(page);
      await reviewed(page);
    },
  },
  { name: "price-new", path: "/operator/models?new=1", act: dialog },
  { name: "price-settings", path: "/operator/models?tab=settings" },
  {
    name: "price-markup",
    path: "/operator/models?tab=settings",
    act: async (page) => {
      await page.locator("main form input").first().fill("25");
      await page.locator("main form button[type=submit]").first().click();
      await reviewed(page);
    },
  },
  {
    name: "ledger",
    path: "/operator/ledger",
    act: async (page) => {
      await page.locator("main section header button").first().click();
      await page.locator("main section dl").first().waitFor();
    },
  },
  {
    name: "ledger-wrong",
    path: "/operator/ledger?days=30",
    fixtures: WRONG_BOOKS,
    act: async (page) => {
      await page.locator("main section header button").first().click();
      await page.locator("main section ul").first().waitFor();
    },
  },
  { name: "ledger-holds", path: "/operator/ledger?tab=holds" },
  { name: "ledger-overage", path: "/operator/ledger?tab=overage" },
];
