import { expect, test } from "bun:test";
import { join } from "node:path";
import { Glob } from "bun";
import { partsOfTest } from "../../../test/support/houses/house.ts";
import { Fault } from "../../lib/faults.ts";
import type { Incoming } from "../../lib/route.ts";
import { docsPages } from "./docs-pages.ts";

const parts = partsOfTest();
const [index, page] = docsPages();
const open = (name: string, route = page) =>
  route?.handle({ params: { page: name } } as unknown as Incoming) as Promise<Response>;

const docsDir = join(import.meta.dir, "..", "..", "..", "docs");
const names = [...new Glob("*.md").scanSync(docsDir)]
  .filter((file) => file !== "README.md")
  .map((file) => file.replace(".md", ""));

test("every page of the docs is served, and its links lead to places that are there", async () => {
  const pages = new Map<string, string>();
  for (const name of names) pages.set(name, await (await open(name)).text());
  const lost: string[] = [];
  for (const [name, html] of pages) {
    for (const [, href = ""] of html.matchAll(/href="([^"]+)"/g)) {
      if (/^https?:/.test(href) || href === "/console" || href === "/docs") continue;
      const [path = "", place] = href.split("#");
      const target = path === "" ? html : pages.get(path.replace("/docs/", ""));
      if (!target || (place && !target.includes(` id="${place}"`))) lost.push(`${name}: ${href}`);
    }
  }
  expect(lost).toEqual([]);
  const list = await (await index?.handle({} as Incoming))?.text();
  for (const name of names) expect(list).toContain(`href="/docs/${name}"`);
});

test("nothing runs there, nobody frames it, and only pages of the docs are read", async () => {
  const response = await open("console");
  const policy = response.headers.get("content-security-policy") ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain("unsafe");
  expect(await response.text()).not.toContain("<script");
  for (const name of ["none-such", "../README", "..%2fREADME", "console.md", "", "x".repeat(99)]) {
    expect(await open(name).catch((thrown: unknown) => thrown)).toBeInstanceOf(Fault);
  }
});

test("nothing is kept of a name that leads nowhere, of which anybody can think up any number", async () => {
  const dir = parts.folder();
  const [, route] = docsPages(dir);
  expect(await open("later", route).catch((thrown: unknown) => thrown)).toBeInstanceOf(Fault);
  await Bun.write(join(dir, "later.md"), "# Later\n");
  expect(await (await open("later", route)).text()).toContain("<h1>Later</h1>");
});
