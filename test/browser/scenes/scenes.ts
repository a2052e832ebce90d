// The states of pages that pictures are taken of and checks run over.
import type { Catalogue } from "../../../web/i18n/catalogue.ts";
import { API_SCENES } from "./api-scenes.ts";
import { DOOR_SCENES } from "./door-scenes.ts";
import { DRAFT_SCENES } from "./draft-scenes.ts";
import { MATERIAL_SCENES } from "./material-scenes.ts";
import { OPERATOR_SCENES } from "./operator-scenes.ts";
import { dialogOf, type Scene, submitDialog } from "./scene.ts";
import { TEAM_SCENES } from "./team-scenes.ts";
import { USAGE_SCENES } from "./usage-scenes.ts";
import { WALLET_SCENES } from "./wallet-scenes.ts";

/** The sentence that says how far a budget can be passed, with the name of the option in it. */
function boundOf({ budgetBound, option_hard }: Catalogue["keys"]): string {
  return budgetBound.replace("{option}", option_hard);
}

const KEY_SCENES: readonly Scene[] = [
  {
    name: "keys",
    path: "/keys",
    says: ({ keys }) => [keys.title, keys.enabled, "Production backend"],
  },
  {
    name: "keys-empty",
    path: "/keys",
    fixtures: {
      "GET /api/accounts/:account/keys": () => ({ object: "list", data: [], next: null }),
    },
    says: ({ keys }) => [keys.emptyTitle, keys.emptyHint],
    aside: true,
  },
  {
    name: "key-new",
    path: "/keys?new=1",
    act: async (page) => {
      await dialogOf(page);
      await page.locator("summary").click();
    },
    says: ({ keys }) => [keys.createTitle, keys.budgetHint, boundOf(keys), keys.rpm],
  },
  {
    name: "key-secret",
    path: "/keys?new=1",
    act: async (page) => {
      await page.getByRole("dialog").locator("input").first().fill("New app");
      await submitDialog(page);
      await page.locator("output").waitFor();
    },
    says: ({ keys }) => [keys.secretTitle, keys.secretHint, keys.tryIt, "Bearer sk-fg-"],
  },
  {
    name: "keys-none",
    path: "/keys?q=nothing-like-it",
    says: ({ keys }) => [keys.noMatch, keys.noMatchHint],
    aside: true,
  },
  {
    name: "key-edit",
    path: "/keys/key_5pD9sV2h?dialog=edit",
    act: async (page) => {
      await dialogOf(page);
      await page.getByRole("dialog").locator("li [role=checkbox]").first().waitFor();
    },
    says: ({ keys }) => [keys.budget_day, keys.rpm, keys.networks, keys.optionHint_hard, "Claude"],
  },
  {
    name: "key-rotate",
    path: "/keys/key_8fK2mQ4x?dialog=rotate",
    act: dialogOf,
    says: ({ keys }) => [keys.rotateHint, keys.overlapHint, keys.overlap_86400],
  },
  {
    name: "key-delete",
    path: "/keys/key_8fK2mQ4x?dialog=delete",
    act: dialogOf,
    says: ({ keys }) => [keys.deleteHint],
    aside: true,
  },
  {
    name: "key-rotated",
    path: "/keys/key_3nT7wB1c",
    says: ({ keys }) => [keys.formerEnd, "…q9Zt"],
    aside: true,
  },
  {
    name: "key-deleted",
    path: "/keys/key_7gO3nE5d",
    // There is nothing to be sent with it any more.
    says: ({ keys }) => [keys.deleted, keys.logNone],
    aside: true,
  },
  {
    name: "key",
    path: "/keys/key_8fK2mQ4x",
    says: ({ keys }) => [
      "Production backend",
      boundOf(keys),
      keys.costByDay,
      keys.log,
      keys.limits,
    ],
  },
];

const SHELL_SCENES: readonly Scene[] = [
  {
    name: "missing",
    path: "/no/such/page",
    says: ({ errors }) => [errors.pageMissing, errors.goHome],
    aside: true,
  },
  {
    name: "user-menu",
    path: "/keys",
    looks: ({ width }) => width === "desktop",
    act: async (page) => {
      await page.locator("aside button[aria-haspopup=menu]").last().click();
      await page.getByRole("menu").waitFor();
    },
    says: ({ nav }) => [nav.theme, nav.language, nav.signOut],
    aside: true,
  },
  {
    name: "phone-menu",
    path: "/keys",
    looks: ({ width }) => width === "phone",
    act: async (page) => {
      await page.locator("header.sticky button").last().click();
      await dialogOf(page);
    },
    says: ({ nav }) => [nav.overview, nav.operator, nav.ledger, "Ada Lovelace"],
  },
  {
    name: "palette",
    path: "/keys",
    act: async (page) => {
      await page.keyboard.press("Control+k");
      await page.getByRole("listbox").waitFor();
    },
    says: ({ nav }) => [nav.overview, nav.settings],
  },
];

export const SCENES: readonly Scene[] = [
  ...DOOR_SCENES,
  ...SHELL_SCENES,
  ...KEY_SCENES,
  ...USAGE_SCENES,
  ...WALLET_SCENES,
  ...TEAM_SCENES,
  ...OPERATOR_SCENES,
  ...DRAFT_SCENES,
  ...MATERIAL_SCENES,
  ...API_SCENES,
];
