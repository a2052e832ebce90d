import type { Page } from "playwright-core";
import { refusal } from "../../../web/fixtures/fixture.ts";
import type { Scene } from "./scene.ts";

const open = (page: Page, path: string, method: string) =>
  page.locator("summary", { hasText: path }).filter({ hasText: method }).click();

const PATH = "/api/accounts/{account}/keys";

/** The description of the API: outside of the console, with its words and looks. */
export const API_SCENES: readonly Scene[] = [
  {
    name: "api",
    path: "/docs/api",
    says: ({ api }) => [api.title, api.callAs, "keys", "Lists keys.", "/v1/responses"],
  },
  {
    name: "api-tried",
    path: "/docs/api",
    act: async (page) => {
      await open(page, PATH, "GET");
      await page.locator("form button[type=submit]").click();
      await page.locator("[aria-live=polite] figure").waitFor();
    },
    says: ({ api }) => [api.parameters, api.required, "last_four", "200", "Production backend"],
  },
  {
    name: "api-stranger",
    path: "/docs/api",
    fixtures: { "GET /api/me": () => refusal(401, "not_signed_in", "Sign in first.") },
    act: (page) => open(page, "/v1/responses", "POST"),
    says: ({ api }) => [api.asNobody, api.body, "text/event-stream", "sandbox-1.0"],
  },
];
