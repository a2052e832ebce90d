// Overview, usage and requests.

import type { Fixtures } from "../../web/fixtures/fixture.ts";
import { REQUESTS } from "../../web/fixtures/requests.ts";
import { DAY_ONE_OVERVIEW } from "../../web/fixtures/usage.ts";
import type { Scene } from "./scenes.ts";

const dayOne: Fixtures = {
  "GET /api/accounts/:account/overview": () => DAY_ONE_OVERVIEW,
};

function idWhere(wanted: (row: (typeof REQUESTS)[number]) => boolean): string {
  return REQUESTS.find(wanted)?.id ?? "";
}

const receipt = (name: string, id: string): Scene => ({
  name,
  path: `/requests?request=${id}`,
  act: async (page) => {
    await page.getByRole("dialog").locator("dl").waitFor();
  },
});

export const USAGE_SCENES: readonly Scene[] = [
  { name: "overview", path: "/" },
  { name: "overview-day-one", path: "/", fixtures: dayOne },
  {
    name: "overview-key",
    path: "/",
    fixtures: dayOne,
    act: async (page) => {
      await page.locator("ol button", { hasText: /Create|创建/ }).click();
      await page.locator("output").waitFor();
      await page.getByRole("tab", { name: "Cherry Studio" }).click();
    },
  },
  { name: "usage", path: "/usage" },
  { name: "usage-tokens", path: "/usage?metric=tokens&range=custom" },
  { name: "usage-models", path: "/usage?by=model" },
  { name: "requests", path: "/requests?live=1" },
  {
    name: "requests-none",
    path: "/requests?status=refused&model=gpt-9",
    fixtures: {
      "GET /api/accounts/:account/requests": () => ({ object: "list", data: [], next: null }),
    },
  },
  receipt(
    "receipt",
    idWhere(({ served_model }) => served_model !== null),
  ),
  receipt(
    "receipt-refused",
    idWhere(({ status }) => status === "refused"),
  ),
  receipt(
    "receipt-failed",
    idWhere(({ status }) => status === "error"),
  ),
];
