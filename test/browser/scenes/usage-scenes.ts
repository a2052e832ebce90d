// Overview, usage, requests with their receipts, models and the playground.
import type { Page } from "playwright-core";
import type { Fixtures } from "../../../web/fixtures/fixture.ts";
import { FIRST_DAY_OVERVIEW } from "../../../web/fixtures/health.ts";
import {
  FORBIDDEN_REQUEST,
  LIMITED_REQUEST,
  MENDED_REQUEST,
  REJECTED_REQUEST,
  REQUESTS,
} from "../../../web/fixtures/requests.ts";
import { AS_VIEWER, INDEBTED_ME } from "../../../web/fixtures/session.ts";
import { DAY_ONE_OVERVIEW, INDEBTED_OVERVIEW } from "../../../web/fixtures/usage.ts";
import { dialogOf, type Scene } from "./scene.ts";

const dayOne: Fixtures = {
  "GET /api/accounts/:account/overview": () => DAY_ONE_OVERVIEW,
  "GET /api/operator/overview": () => FIRST_DAY_OVERVIEW,
};

function idWhere(wanted: (row: (typeof REQUESTS)[number]) => boolean): string {
  return REQUESTS.find(wanted)?.id ?? "";
}

const receipt = (name: string, id: string, says: Scene["says"]): Scene => ({
  name,
  path: `/requests?request=${id}`,
  act: async (page) => {
    await page.getByRole("dialog").locator("dl").waitFor();
  },
  says: (words, look) => [words.requests.receipt, id, ...says(words, look)],
});

async function say(page: Page): Promise<void> {
  await page.locator("main form textarea").fill("What does a hold protect from?");
  await page.locator("main form button[type=submit]").click();
}

const OVERVIEW_SCENES: readonly Scene[] = [
  {
    name: "overview",
    path: "/",
    says: ({ overview }) => [overview.title, overview.balance, overview.lastRequests],
  },
  {
    name: "overview-day-one",
    path: "/",
    fixtures: dayOne,
    says: ({ overview }) => [
      overview.startTitle,
      overview.baseUrlHint,
      "curl",
      overview.runwayUnknown,
    ],
  },
  {
    name: "overview-below-zero",
    path: "/",
    fixtures: {
      "GET /api/me": () => INDEBTED_ME,
      "GET /api/accounts/:account/overview": () => INDEBTED_OVERVIEW,
    },
    says: ({ overview }) => ["-$3.21", overview.topUp, overview.runway],
  },
  {
    name: "overview-key",
    path: "/",
    fixtures: dayOne,
    act: async (page) => {
      await page.locator("ol button", { hasText: /Create|创建/ }).click();
      await page.locator("output").waitFor();
      await page.getByRole("tab", { name: "Cherry Studio" }).click();
    },
    says: ({ overview }) => [overview.cherryHost, overview.cherryOpen],
  },
];

const REQUEST_SCENES: readonly Scene[] = [
  { name: "requests", path: "/requests?live=1", says: ({ requests }) => [requests.title] },
  {
    name: "requests-none",
    path: "/requests?status=refused&model=gpt-9",
    fixtures: {
      "GET /api/accounts/:account/requests": () => ({ object: "list", data: [], next: null }),
    },
    says: ({ requests }) => [requests.noMatch, requests.noMatchHint],
    aside: true,
  },
  receipt(
    "receipt",
    idWhere(({ served_model }) => served_model !== null),
    ({ requests }) => [requests.linesTitle, requests.entry_hold, requests.reason_completed],
  ),
  receipt("receipt-mended", MENDED_REQUEST, ({ requests }) => [
    requests.item_beyond_hold,
    requests.source_mixed,
    requests.corrected,
    requests.clampedTo.replace("{count}", "1,384"),
  ]),
  receipt(
    "receipt-refused",
    idWhere(({ status }) => status === "refused"),
    ({ requests }) => [requests.reason_refused, requests.fault_limit, requests.help_raise],
  ),
  receipt(
    "receipt-short",
    REQUESTS.findLast(({ error_code }) => error_code === "budget_exceeded")?.id ?? "",
    ({ requests }) => [requests.limit_balance, requests.help_cheaper, requests.help_top_up],
  ),
  receipt(
    "receipt-failed",
    idWhere(({ status }) => status === "error"),
    ({ requests }) => [requests.attemptsTitle, requests.fault_vendor, "had an error"],
  ),
  receipt("receipt-rejected", REJECTED_REQUEST, ({ requests }) => [
    requests.reason_upstream_refused,
    requests.fault_client_vendor,
    requests.vendorSays,
    "string too long",
  ]),
  receipt("receipt-limited", LIMITED_REQUEST, ({ requests }) => [
    requests.limit_requests_per_minute,
    requests.help_slower,
    requests.help_raise_rate,
  ]),
  receipt("receipt-forbidden", FORBIDDEN_REQUEST, ({ requests }) => [requests.help_allow_model]),
];

const MODEL_SCENES: readonly Scene[] = [
  { name: "models", path: "/models", says: ({ models }) => [models.title, "gpt-5.6"] },
  {
    name: "models-empty",
    path: "/models",
    fixtures: {
      "GET /api/accounts/:account/models": () => ({ object: "list", data: [], next: null }),
    },
    says: ({ models, channels }) => [models.emptyTitle, channels.add],
    aside: true,
  },
  {
    name: "models-none",
    path: "/models?q=nothing-like-it",
    says: ({ models }) => [models.noMatch, models.noMatchHint],
    aside: true,
  },
  {
    name: "model",
    path: "/models?model=gpt-5.6",
    act: dialogOf,
    says: ({ models }) => [models.price, models.endpoints, models.snippet, models.tryIt],
  },
  {
    name: "playground",
    path: "/playground",
    says: ({ playground }) => [playground.title, playground.emptyTitle],
    aside: true,
  },
  {
    name: "playground-answer",
    path: "/playground?model=gpt-5.6",
    act: async (page) => {
      await say(page);
      await page.locator("[data-cost=receipt]").waitFor();
    },
    says: ({ playground }) => [playground.fromReceipt, "What does a hold protect from?"],
  },
  {
    name: "playground-refused",
    path: "/playground?model=gpt-5.6",
    fixtures: {
      "POST /api/accounts/:account/playground/responses": () =>
        Response.json(
          { error: { code: "permission_denied", message: "Disabled.", key_id: "key_1" } },
          { status: 403 },
        ),
    },
    act: async (page) => {
      await say(page);
      await page.getByRole("alert").waitFor();
    },
    says: ({ playground }) => [playground.keyOff, playground.keyOffAction],
    aside: true,
  },
  {
    name: "playground-receipt",
    path: "/playground?model=gpt-5.6",
    act: async (page) => {
      await say(page);
      await page.locator("[data-cost=receipt]").waitFor();
      await page.locator("main li button").last().click();
      await dialogOf(page);
    },
    says: ({ requests }) => [requests.receipt, requests.linesTitle],
    aside: true,
  },
  {
    name: "playground-code",
    path: "/playground?model=gpt-5.6&code=1",
    act: dialogOf,
    says: ({ playground }) => [playground.code, "sk-fg-…"],
  },
  {
    name: "playground-viewer",
    path: "/playground",
    fixtures: AS_VIEWER,
    says: ({ playground }) => [playground.viewerTitle, playground.viewerAsk, "ada@example.com"],
    aside: true,
  },
];

export const USAGE_SCENES: readonly Scene[] = [
  ...OVERVIEW_SCENES,
  { name: "usage", path: "/usage", says: ({ usage }) => [usage.title, usage.output] },
  {
    name: "usage-tokens",
    path: "/usage?metric=tokens&range=custom",
    says: ({ usage, requests }) => [usage.range_custom, requests.from],
    aside: true,
  },
  {
    name: "usage-models",
    path: "/usage?by=model",
    says: ({ usage }) => [usage.subject_model, "gemini-3-flash"],
  },
  ...REQUEST_SCENES,
  ...MODEL_SCENES,
];
