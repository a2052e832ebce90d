import { expect, test } from "bun:test";
import { docsPages } from "../../src/http/files/docs-pages.ts";
import type { Incoming } from "../../src/lib/route.ts";
import { HELP, helpFor } from "./help.ts";
import { ACCOUNT_PAGES, OPERATOR_PAGES } from "./pages.ts";

const [, page] = docsPages();

async function docOf(name: string): Promise<string> {
  const response = await page?.handle({ params: { page: name } } as unknown as Incoming);
  return (await response?.text()) ?? "";
}

test("every page of the menu leads to a place that is there", async () => {
  const paths = [...ACCOUNT_PAGES, ...OPERATOR_PAGES].map(({ path }) => path);
  const known = Object.keys(HELP);
  // The overview has the help of the whole.
  expect(paths.filter((path) => path !== "/" && !known.includes(path))).toEqual([]);
  for (const path of [...paths, "/operator/accounts/acct_1"]) {
    const [name = "", place] = helpFor(path).replace("/docs/", "").split("#");
    const html = await docOf(name);
    expect([path, html.includes("<h1>")]).toEqual([path, true]);
    if (place) expect([path, html.includes(` id="${place}"`)]).toEqual([path, true]);
  }
});

test("what lies below a page has its help, and what nobody knows that of the console", () => {
  expect(helpFor("/keys/key_1")).toBe("/docs/billing#budgets");
  expect(helpFor("/operator/accounts/acct_1/keys")).toBe("/docs/console#the-page-of-an-account");
  expect(helpFor("/keysmith")).toBe("/docs/console#pages");
  expect(helpFor("/")).toBe("/docs/console#pages");
});
