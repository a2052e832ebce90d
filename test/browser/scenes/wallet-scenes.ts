// The wallet with its tabs and dialogs.
import type { Fixtures } from "../../../web/fixtures/fixture.ts";
import { INDEBTED_ME } from "../../../web/fixtures/session.ts";
import { INDEBTED_WALLET, TEST_WALLET } from "../../../web/fixtures/wallet.ts";
import { dialogOf, type Scene, submitDialog } from "./scene.ts";

const testWallet: Fixtures = { "GET /api/accounts/:account/wallet": () => TEST_WALLET };

export const WALLET_SCENES: readonly Scene[] = [
  {
    name: "wallet",
    path: "/wallet",
    says: ({ wallet }) => [wallet.title, wallet.held, wallet.statement, wallet.kind_usage],
  },
  {
    name: "wallet-below-zero",
    path: "/wallet",
    fixtures: {
      "GET /api/me": () => INDEBTED_ME,
      "GET /api/accounts/:account/wallet": () => INDEBTED_WALLET,
    },
    says: ({ wallet, overview }) => ["-$3.21", wallet.statement, overview.topUp],
  },
  {
    name: "wallet-payments",
    path: "/wallet?tab=payments&order=ord_1BvN5tGh&outcome=paid",
    says: ({ wallet }) => [wallet.payments, wallet.refunds, wallet.status_paid],
  },
  {
    name: "wallet-auto",
    path: "/wallet?tab=auto",
    says: ({ wallet }) => [wallet.autoOn, wallet.threshold, wallet.dailyMax],
  },
  {
    name: "wallet-alerts",
    path: "/wallet?tab=alerts",
    says: ({ wallet }) => [wallet.alertLow, wallet.alertSpike, wallet.webhookOn],
  },
  {
    name: "wallet-topup",
    path: "/wallet?dialog=topup",
    act: dialogOf,
    says: ({ wallet }) => [wallet.topUpTitle, wallet.way_stripe, wallet.way_alipay],
  },
  {
    name: "wallet-no-way",
    path: "/wallet?dialog=topup",
    fixtures: { "GET /api/accounts/:account/wallet": () => ({ ...TEST_WALLET, providers: [] }) },
    act: dialogOf,
    // The visitor runs the installation, and is not told to ask whoever does.
    says: ({ wallet }) => [wallet.noWayOperator, wallet.noWayCredit],
    aside: true,
  },
  {
    name: "wallet-test-pay",
    path: "/wallet?dialog=topup",
    fixtures: testWallet,
    act: async (page) => {
      await submitDialog(page);
      await page.getByText("ord_5QwE7rTy").waitFor();
    },
    says: ({ wallet }) => [wallet.testTitle, wallet.testConfirm],
    aside: true,
  },
  {
    name: "wallet-redeem",
    path: "/wallet?dialog=redeem",
    act: async (page) => {
      await page.getByRole("dialog").locator("input").fill("nonsense");
      await submitDialog(page);
      await page.getByRole("dialog").locator("[data-invalid]").first().waitFor();
    },
    says: ({ wallet }) => [wallet.redeemTitle, wallet.redeemAction],
    aside: true,
  },
  {
    name: "wallet-refund",
    path: "/wallet?dialog=refund",
    act: dialogOf,
    says: ({ wallet }) => [wallet.refundTitle],
    aside: true,
  },
];
