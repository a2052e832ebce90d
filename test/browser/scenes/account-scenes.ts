// One account as operators see it, part by part.
import { DAY_ONE_OVERVIEW } from "../../../web/fixtures/usage.ts";
import { dialogOf, type Scene, submitDialog } from "./scene.ts";

const HOME = "/operator/accounts/acct_2Wd8Hn";
const NAME = "上海云图科技有限公司";

const NEW_ACCOUNT = {
  "GET /api/accounts/:account/overview": () => DAY_ONE_OVERVIEW,
  "GET /api/accounts/:account/members": () => ({ object: "list", data: [], next: null }),
  "GET /api/accounts/:account/invitations": () => ({ object: "list", data: [], next: null }),
};

export const ACCOUNT_SCENES: readonly Scene[] = [
  {
    name: "account",
    path: HOME,
    says: ({ operatorAccounts, overview }) => [
      NAME,
      overview.lastRequests,
      operatorAccounts.creditedAll,
    ],
  },
  {
    name: "account-new",
    path: HOME,
    fixtures: NEW_ACCOUNT,
    says: ({ operatorAccounts }) => [operatorAccounts.steps, operatorAccounts.stepPeople],
    aside: true,
  },
  {
    name: "account-missing",
    path: "/operator/accounts/acct_none",
    says: ({ operatorAccounts }) => [operatorAccounts.notFound, operatorAccounts.all],
    aside: true,
  },
  {
    name: "account-keys",
    path: `${HOME}/keys`,
    says: ({ keys }) => [NAME, keys.create, "Production backend"],
    aside: true,
  },
  {
    name: "account-requests",
    path: `${HOME}/requests`,
    says: ({ requests }) => [NAME, requests.model],
    aside: true,
  },
  {
    name: "account-wallet",
    path: `${HOME}/wallet`,
    says: ({ operatorAccounts, wallet }) => [
      NAME,
      operatorAccounts.giveBack,
      operatorAccounts.credit,
      wallet.statement,
    ],
  },
  {
    name: "account-give-back",
    path: `${HOME}/wallet?dialog=giveback`,
    act: dialogOf,
    says: ({ operatorAccounts }) => [operatorAccounts.noteHint, operatorAccounts.giveBack],
    aside: true,
  },
  {
    name: "account-people",
    path: `${HOME}/team`,
    says: ({ team }) => [NAME, team.invitations, team.linkAgain, team.mailAgain],
  },
  {
    name: "account-limits",
    path: `${HOME}/limits`,
    says: ({ operatorAccounts }) => [
      operatorAccounts.maySpend,
      operatorAccounts.overdraft,
      "$250.00",
      operatorAccounts.keyLimits,
    ],
  },
  {
    name: "account-overdraft",
    path: `${HOME}/limits`,
    act: async (page) => {
      await page.locator("main div.divide-y button:not([role=switch])").click();
      await dialogOf(page);
      await page.getByRole("dialog").locator("input[inputmode=decimal]").fill("x");
      await submitDialog(page);
    },
    says: ({ operatorAccounts }) => [operatorAccounts.overdraftBad, operatorAccounts.hardHint],
    aside: true,
  },
  {
    name: "account-audit",
    path: `${HOME}/audit`,
    fixtures: {
      "GET /api/operator/audit": () => ({ object: "list", data: [], next: null }),
    },
    says: ({ audit }) => [NAME, audit.emptyTitle],
    aside: true,
  },
];
