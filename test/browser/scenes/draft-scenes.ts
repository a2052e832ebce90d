// Drafts: the list, the editor with its phone, and their dialogs. The article in the phone is really
// rendered, so that what is looked at is what readers get.

import type { Page } from "playwright-core";
import { framePage } from "../../../src/drafts/api/frame.ts";
import { renderArticle } from "../../../src/drafts/render/render-article.ts";
import { BAD_PROBLEMS, DRAFTS, previewOf } from "../../../web/fixtures/drafts.ts";
import { type Fixtures, listOf, refusal } from "../../../web/fixtures/fixture.ts";
import { IP_REFUSAL } from "../../../web/fixtures/public-accounts.ts";
import { dialogOf, formOf, type Scene } from "./scene.ts";

const BASE = "/api/accounts/:account/drafts";

const rendered: Fixtures = {
  [`GET ${BASE}/:id/frame`]: async ({ params }) => {
    const article = DRAFTS.find(({ id }) => id === params.id)?.articles[0];
    if (!article) return framePage({ title: "", author: "", html: "" }, undefined);
    const { title, author = "", source, theme } = article;
    if (article.type === "newspic") return framePage({ title, author, html: source.text }, []);
    const { html } = await renderArticle({ ...source, title }, { theme });
    return framePage({ title, author, html }, undefined);
  },
};

const faulty: Fixtures = {
  ...rendered,
  [`POST ${BASE}/preview`]: ({ body }) =>
    previewOf(body.articles as readonly unknown[], BAD_PROBLEMS),
};

const refused: Fixtures = {
  ...rendered,
  [`POST ${BASE}/:id/push`]: () =>
    Response.json(
      { error: { message: "Refused.", code: "platform_refused", ...IP_REFUSAL } },
      {
        status: 400,
      },
    ),
};

const changedElsewhere: Fixtures = {
  ...rendered,
  [`PUT ${BASE}/:id`]: () => refusal(409, "edit_conflict", "The draft was changed."),
};

async function pressPush(page: Page): Promise<void> {
  await page.locator("main header").first().locator("button").last().click();
}

export const DRAFT_SCENES: readonly Scene[] = [
  {
    name: "drafts",
    path: "/drafts",
    says: ({ drafts }) => [drafts.title, drafts.status_changed, drafts.status_unknown],
  },
  {
    name: "drafts-empty",
    path: "/drafts",
    fixtures: { [`GET ${BASE}`]: () => listOf([]) },
    says: ({ drafts }) => [drafts.emptyTitle, drafts.emptyHint],
    aside: true,
  },
  {
    name: "drafts-accounts",
    path: "/drafts?dialog=accounts",
    act: async (page) => {
      const check = page.getByRole("dialog").locator("li button").first();
      await check.click();
      await page.getByText("203.0.113.24", { exact: true }).waitFor();
    },
    says: ({ drafts }) => [drafts.accountsTitle, drafts.allowIp, drafts.check_quota],
  },
  {
    name: "drafts-account-new",
    path: "/drafts?dialog=accounts",
    act: async (page) => {
      await page.getByRole("dialog").locator("footer button").last().click();
      await formOf(page).waitFor();
    },
    says: ({ drafts }) => [drafts.addAccountTitle, drafts.secretHint],
    aside: true,
  },
  {
    name: "drafts-import",
    path: "/drafts?dialog=import",
    act: dialogOf,
    says: ({ drafts }) => [drafts.importTitle, drafts.importAction, drafts.importOpen],
  },
  {
    name: "drafts-editor",
    path: "/drafts/drf_7pQ2",
    fixtures: rendered,
    says: ({ drafts }) => [drafts.pushUpdate, drafts.cover, drafts.checks, drafts.box],
  },
  {
    name: "drafts-preview",
    path: "/drafts/drf_7pQ2",
    fixtures: rendered,
    looks: ({ width }) => width === "phone",
    act: async (page) => {
      await page.locator("fieldset button[aria-pressed]").last().click();
    },
    says: ({ drafts }) => [drafts.previewHint],
  },
  {
    name: "drafts-problems",
    path: "/drafts/drf_2aB4",
    fixtures: faulty,
    act: async (page) => {
      await page.locator("details summary").click();
    },
    says: ({ drafts }) => [drafts.fix_shorten, drafts.fix_centre_crop, drafts.sourceUrl],
  },
  {
    name: "drafts-pictures",
    path: "/drafts/drf_5nV8",
    fixtures: rendered,
    says: ({ drafts }) => [drafts.images, drafts.addPictures],
    aside: true,
  },
  {
    name: "drafts-crop",
    path: "/drafts/drf_7pQ2",
    fixtures: rendered,
    act: async (page) => {
      await page
        .locator("section", { has: page.locator("figcaption") })
        .locator("header button")
        .click();
      await page.locator("[data-crop]").first().waitFor();
    },
    says: ({ drafts }) => [drafts.cropTitle, drafts.cropCentre],
  },
  {
    name: "drafts-write",
    path: "/drafts/drf_7pQ2?dialog=write",
    fixtures: rendered,
    act: dialogOf,
    says: ({ drafts }) => [drafts.writeTitle, drafts.writeReplaces],
  },
  {
    name: "drafts-write-new",
    path: "/drafts?dialog=write",
    act: dialogOf,
    says: ({ drafts }) => [drafts.writeTitle, drafts.writeAction],
    aside: true,
  },
  {
    name: "drafts-pushed",
    path: "/drafts/drf_7pQ2",
    fixtures: rendered,
    act: async (page) => {
      await pressPush(page);
      await page.getByText("6918a1f2").waitFor();
    },
    says: ({ drafts }) => [drafts.pushTitle, drafts.modelCost, drafts.requestIds],
  },
  {
    name: "drafts-history",
    path: "/drafts/drf_7pQ2",
    fixtures: rendered,
    act: async (page) => {
      await page.locator("button:has(.lucide-history)").click();
      await dialogOf(page);
      await page.getByRole("tab").last().click();
      await page.getByText("203.0.113.24", { exact: true }).waitFor();
    },
    says: ({ drafts }) => [drafts.history, drafts.kind_update, drafts.reconciled],
  },
  {
    name: "drafts-refused",
    path: "/drafts/drf_7pQ2",
    fixtures: refused,
    act: async (page) => {
      await pressPush(page);
      await page.getByText("203.0.113.24", { exact: true }).waitFor();
    },
    says: ({ drafts }) => [drafts.pushRefused, drafts.allowIp],
    aside: true,
  },
  {
    name: "drafts-conflict",
    path: "/drafts/drf_7pQ2",
    fixtures: changedElsewhere,
    act: async (page) => {
      await page.locator("input").first().fill("Another title");
      await page.getByRole("alert").waitFor();
    },
    says: ({ drafts }) => [drafts.conflict, drafts.conflictMine, drafts.conflictTheirs],
    aside: true,
  },
  {
    name: "drafts-shorten",
    path: "/drafts/drf_2aB4",
    fixtures: faulty,
    act: async (page) => {
      await page.locator("#checks button").first().click();
      const dialog = page.getByRole("dialog");
      await dialog.locator("button[type=submit]").click();
      await dialog.locator("textarea").waitFor();
    },
    says: ({ drafts }) => [drafts.shortenTitle, drafts.shortenNew, drafts.shortenUse],
    aside: true,
  },
];
