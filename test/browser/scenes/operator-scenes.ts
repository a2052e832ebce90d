// The states of the operator's pages: channels, models and prices, the ledger.
import type { Page } from "playwright-core";
import { FAILING_CHANNEL } from "../../../web/fixtures/channels.ts";
import { listOf } from "../../../web/fixtures/fixture.ts";
import { IN_TROUBLE } from "../../../web/fixtures/health.ts";
import { WRONG_BOOKS } from "../../../web/fixtures/ledger.ts";
import { AS_VIEWER } from "../../../web/fixtures/session.ts";
import { FACTS } from "../../../web/fixtures/system.ts";
import { ACCOUNT_SCENES } from "./account-scenes.ts";
import { dialogOf, formOf, type Scene, submitDialog } from "./scene.ts";

async function reviewed(page: Page): Promise<void> {
  await dialogOf(page);
  await page.getByRole("dialog").locator("table").waitFor();
}

/** Presses the last button at the foot of the drawer, which is the one for changes. */
async function change(page: Page): Promise<void> {
  await dialogOf(page);
  await page.getByRole("dialog").locator("footer button").last().click();
  await formOf(page).waitFor();
}

const HEALTH_SCENES: readonly Scene[] = [
  {
    name: "operator",
    path: "/operator",
    says: ({ nav, health }) => [nav.operatorHome, health.well, health.spend],
  },
  {
    name: "operator-in-trouble",
    path: "/operator",
    fixtures: IN_TROUBLE,
    says: ({ health }) => [health.storage_down, health.openChannel, "exceeded your current quota"],
  },
  {
    name: "overview-in-trouble",
    path: "/",
    fixtures: IN_TROUBLE,
    says: ({ overview, health }) => [overview.title, health.storage_down, health.openSystem],
    aside: true,
  },
  {
    name: "trouble-elsewhere",
    path: "/operator/accounts",
    fixtures: IN_TROUBLE,
    act: (page) => page.locator("main section.sticky").waitFor(),
    says: ({ health, operatorAccounts }) => [operatorAccounts.title, health.storage_down],
    aside: true,
  },
  {
    name: "alerts",
    path: "/operator/alerts",
    says: ({ nav, health }) => [nav.alerts, health.holds],
  },
  {
    name: "alerts-none",
    path: "/operator/alerts",
    fixtures: { "GET /api/operator/alerts": () => listOf([]) },
    says: ({ health }) => [health.alertsEmpty, health.alertsEmptyHint],
    aside: true,
  },
];

const CHANNEL_SCENES: readonly Scene[] = [
  {
    name: "channels",
    path: "/operator/channels",
    says: ({ channels }) => [channels.title, channels.state_untried, channels.state_refused],
  },
  {
    name: "channel-new",
    path: "/operator/channels?new=1",
    act: async (page) => {
      await dialogOf(page);
      await page.locator("summary").click();
    },
    says: ({ channels }) => [channels.addTitle, channels.keysHint, channels.priorityHint],
    aside: true,
  },
  {
    name: "channel-tried",
    path: "/operator/channels?new=1",
    act: async (page) => {
      await dialogOf(page);
      await formOf(page).locator("textarea").fill("sk-good");
      await formOf(page).locator("section button").click();
      // The one that nobody prices: it gets its price here.
      await page.getByRole("checkbox", { name: "qwen3-coder-30b" }).click();
      await formOf(page).locator("legend", { hasText: "qwen3-coder-30b" }).waitFor();
    },
    says: ({ channels }) => [channels.testOk, channels.noPrice, channels.pricesTitle],
  },
  {
    name: "channel-tried-in-vain",
    path: "/operator/channels?new=1",
    act: async (page) => {
      await dialogOf(page);
      await formOf(page).locator("textarea").fill("sk-wrong");
      await submitDialog(page);
      await page.getByRole("dialog").getByText("401").waitFor();
    },
    // Nothing was saved, and whoever insists may.
    says: ({ channels }) => [channels.testFailed, channels.addAnyway, "Incorrect API key"],
  },
  {
    name: "channel-untried",
    path: "/operator/channels?channel=deepseek",
    act: dialogOf,
    says: ({ channels }) => [channels.state_untried, channels.untriedHint],
    aside: true,
  },
  {
    name: "channel-failing",
    path: "/operator/channels",
    fixtures: { "GET /api/operator/channels": () => listOf([FAILING_CHANNEL]) },
    says: ({ channels }) => [
      channels.state_failing,
      channels.failingTitle.replace("{name}", FAILING_CHANNEL.name),
      "ECONNREFUSED",
    ],
    aside: true,
  },
  {
    name: "channel-refused",
    path: "/operator/channels?channel=anthropic",
    act: async (page) => {
      await dialogOf(page);
      await page.getByRole("dialog").locator("section button").last().click();
      await page.getByRole("dialog").getByText("642").waitFor();
    },
    says: ({ channels }) => [channels.testFailed, channels.lastError, "HTTP 401"],
  },
  {
    name: "channel-keys",
    path: "/operator/channels?channel=openai",
    act: dialogOf,
    says: ({ channels }) => [channels.keys, channels.keyState_ok, channels.counts],
    aside: true,
  },
  {
    name: "channel-edit",
    path: "/operator/channels?channel=openai",
    act: change,
    says: ({ channels }) => [channels.addKeys, channels.removeKeys],
    aside: true,
  },
];

const PRICE_SCENES: readonly Scene[] = [
  {
    name: "prices",
    path: "/operator/models",
    says: ({ prices }) => [prices.title, "gpt-5.2"],
  },
  {
    name: "price-versions",
    path: "/operator/models?model=gpt-5.2",
    act: dialogOf,
    says: ({ prices }) => [prices.versions, prices.inForce, prices.changePrice],
  },
  {
    name: "price-change",
    path: "/operator/models?model=gpt-5.2",
    act: change,
    says: ({ prices }) => [prices.rate_input, prices.fromHint, prices.preview],
    aside: true,
  },
  {
    name: "price-review",
    path: "/operator/models?model=gpt-5.2",
    act: async (page) => {
      await change(page);
      await formOf(page).locator("input[type=date]").fill("2026-12-24");
      await submitDialog(page);
      await reviewed(page);
    },
    says: ({ prices }) => [prices.before, prices.after, prices.receiptsStay, prices.apply],
  },
  {
    name: "price-new",
    path: "/operator/models?new=1",
    act: dialogOf,
    says: ({ prices }) => [prices.addTitle, prices.new_upstream],
    aside: true,
  },
  {
    name: "price-settings",
    path: "/operator/models?tab=settings",
    says: ({ prices }) => [prices.markupPercent, prices.markupHint],
    aside: true,
  },
  {
    name: "price-markup",
    path: "/operator/models?tab=settings",
    act: async (page) => {
      await page.locator("main form input").first().fill("25");
      await page.locator("main form button[type=submit]").first().click();
      await reviewed(page);
    },
    // A phone has no room for the column of percentages.
    says: ({ prices }, { width }) => [
      prices.receiptsStay,
      width === "phone" ? prices.apply : prices.change,
    ],
    aside: true,
  },
];

async function verify(page: Page, answer: string): Promise<void> {
  await page.locator("main section header button").first().click();
  await page.locator(`main section ${answer}`).first().waitFor();
}

const LEDGER_SCENES: readonly Scene[] = [
  {
    name: "ledger",
    path: "/operator/ledger",
    act: (page) => verify(page, "dl"),
    says: ({ ledger }) => [ledger.verified, ledger.count_receipts, ledger.byChannel],
  },
  {
    name: "ledger-wrong",
    path: "/operator/ledger?days=30",
    fixtures: WRONG_BOOKS,
    act: (page) => verify(page, "ul"),
    says: ({ ledger }) => [ledger.title],
    aside: true,
  },
  {
    name: "ledger-holds",
    path: "/operator/ledger?tab=holds",
    says: ({ ledger }) => [ledger.holdsHint, ledger.heldSince],
  },
  {
    name: "ledger-overage",
    path: "/operator/ledger?tab=overage",
    says: ({ ledger }) => [ledger.overageHint, ledger.overageRequests, ledger.belowZero],
  },
  {
    name: "ledger-input",
    path: "/operator/ledger?tab=input",
    says: ({ ledger }) => [ledger.inputHint, ledger.inputByChannel, ledger.inputByAccount],
  },
];

const OTHER_SCENES: readonly Scene[] = [
  {
    name: "operator-accounts",
    path: "/operator/accounts",
    says: ({ operatorAccounts }) => [operatorAccounts.title, operatorAccounts.suspended],
  },
  {
    name: "operator-accounts-credit",
    path: "/operator/accounts",
    act: async (page) => {
      await page.locator("tbody button[aria-haspopup=menu]").first().click();
      await page.getByRole("menuitem").first().click();
      await dialogOf(page);
    },
    says: ({ operatorAccounts }) => [operatorAccounts.creditHint, operatorAccounts.noteHint],
    aside: true,
  },
  {
    name: "operator-accounts-create",
    path: "/operator/accounts?new=1",
    act: async (page) => {
      await dialogOf(page);
      await page.getByRole("dialog").locator("fieldset button").last().click();
    },
    says: ({ operatorAccounts }) => [operatorAccounts.invitePeople, operatorAccounts.inviteHint],
  },
  {
    name: "operator-accounts-created",
    path: "/operator/accounts?new=1",
    act: async (page) => {
      await page.getByRole("dialog").locator("input").first().fill("Difference Engines");
      await page.getByRole("dialog").locator("input[type=email]").fill("charles@example.com");
      await submitDialog(page);
      await page.getByRole("dialog").locator("output").waitFor();
    },
    says: ({ operatorAccounts }) => [operatorAccounts.open, "charles@example.com", "#iv7Kq2"],
    aside: true,
  },
  {
    name: "audit",
    path: "/operator/audit",
    says: ({ audit }) => [audit.title, audit.who, audit.action_key_create, "Ada Lovelace"],
  },
  {
    name: "audit-record",
    path: "/operator/audit",
    act: async (page) => {
      await page.locator("tbody button").first().click();
      await dialogOf(page);
    },
    says: ({ audit }) => [audit.changes, audit.before, audit.after, audit.detail, "3000"],
  },
  {
    name: "audit-nothing",
    path: "/operator/audit?actor=nobody@example.com",
    says: ({ audit }) => [audit.noMatch],
    aside: true,
  },
  {
    name: "installation",
    path: "/operator/settings",
    act: async (page) => {
      await page.locator("main section").nth(1).locator("button[type=submit]").click();
      await page.locator("main [aria-live=polite] div").first().waitFor();
    },
    says: ({ system }) => [system.installation, system.signup, system.tokens, "smtp.example.com"],
  },
  {
    name: "installation-mailless",
    path: "/operator/settings",
    fixtures: {
      "GET /api/operator/system": () => ({ ...FACTS, mail: null }),
    },
    says: ({ system }) => [system.mailOff, "FAREGATE_SMTP_URL"],
    aside: true,
  },
  {
    name: "system",
    path: "/operator/system",
    says: ({ system }) => [system.title, system.queue, system.database],
  },
  {
    name: "search",
    path: "/operator/accounts",
    act: async (page) => {
      await page.keyboard.press("Control+k");
      await page.getByRole("dialog").getByRole("combobox").fill("produc");
      await page.getByRole("dialog").getByText("req_01kproduct").first().waitFor();
    },
    says: ({ nav }) => [nav.found_key, nav.found_request, nav.found_draft, "Production backend"],
  },
  {
    name: "codes",
    path: "/operator/codes",
    says: ({ codes }) => [codes.title, codes.expired],
  },
  {
    name: "codes-batch",
    path: "/operator/codes?batch=batch_7Kd2pQ",
    act: async (page) => {
      await page.getByRole("dialog").getByText("grace@example.com").waitFor();
    },
    says: ({ codes }) => [codes.redeemedBy, codes.revokeAll, "Side project"],
  },
  {
    name: "codes-revoke",
    path: "/operator/codes?batch=batch_7Kd2pQ",
    act: async (page) => {
      await page.getByRole("dialog").locator("footer button").click();
      await page.locator("[role=dialog]").nth(1).waitFor();
    },
    says: ({ codes }) => [codes.revokeAllHint, codes.revoke],
    aside: true,
  },
  {
    name: "codes-revoked",
    path: "/operator/codes?batch=batch_7Kd2pQ",
    act: async (page) => {
      await page.getByRole("dialog").locator("footer button").click();
      await page.locator("[role=dialog]").nth(1).locator("footer button").last().click();
      // A pointer on the message keeps it from going, however long it takes to look at it.
      await page.locator("[data-toast]").dispatchEvent("pointerover");
    },
    says: ({ codes }) => [codes.revokedDone.other.replace("{count}", "63")],
    aside: true,
  },
  {
    name: "operator-page-of-others",
    path: "/operator/accounts",
    fixtures: AS_VIEWER,
    says: ({ errors }) => [errors.pageMissing, errors.goHome],
    aside: true,
  },
  {
    name: "codes-made",
    path: "/operator/codes?new=1",
    act: async (page) => {
      await page.getByRole("dialog").locator("input").nth(1).fill("5");
      await submitDialog(page);
      await page.getByRole("dialog").locator("textarea").waitFor();
    },
    says: ({ codes }) => [codes.madeHint, codes.copyAll, codes.saved],
    aside: true,
  },
];

export const OPERATOR_SCENES: readonly Scene[] = [
  ...HEALTH_SCENES,
  ...CHANNEL_SCENES,
  ...PRICE_SCENES,
  ...LEDGER_SCENES,
  ...ACCOUNT_SCENES,
  ...OTHER_SCENES,
];
