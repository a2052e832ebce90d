// Every start prints a way in until somebody has taken it, as docs/console.md says.
import { expect, test } from "bun:test";
import { newOperator } from "../support/browser.ts";
import { partsOfTest } from "../support/houses/house.ts";
import { serve } from "../support/houses/serving.ts";

const parts = partsOfTest();
const linkIn = (greeting: string) => /\/console\/welcome#(\S+)/.exec(greeting)?.[1];

test("a start without an operator prints a new link, and one with an operator none", async () => {
  const settings = { FAREGATE_DATA: parts.folder() };
  const first = await serve(parts, { settings, process: true });
  const old = linkIn(first.server.greeting);
  expect(old).toBeDefined();
  await first.server.stop();

  const second = await serve(parts, { settings, process: true });
  const link = linkIn(second.server.greeting) ?? "";
  expect(link).not.toBe("");
  expect(link).not.toBe(old ?? "");
  await newOperator(second.server.url.replace(/\/v1$/, ""), link, "op@example.com");
  await second.server.stop();

  const third = await serve(parts, { settings, process: true });
  expect(linkIn(third.server.greeting)).toBeUndefined();
});
