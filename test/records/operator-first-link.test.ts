// Every start prints a way in until somebody has taken it, as docs/console.md says.
import { expect, test } from "bun:test";
import { firstOperatorLink } from "../../src/cli/first-operator.ts";
import type { TestServer } from "../server.ts";
import { newOperator } from "../support/browser.ts";
import { isFull } from "../support/counts.ts";
import { partsOfTest } from "../support/houses/house.ts";
import { serve } from "../support/houses/serving.ts";

const parts = partsOfTest();
const linkIn = (greeting: string) => /\/console\/welcome#(\S+)/.exec(greeting)?.[1];

/** What a start would print; it does where it is a process, which it is with the full counts. */
async function linkOf(server: TestServer): Promise<string | undefined> {
  if (isFull) return linkIn(server.greeting);
  const port = Number(new URL(server.url).port);
  const link = await server.within(({ store, config }) => firstOperatorLink(store, config, port));
  return link && linkIn(link);
}

test("a start without an operator prints a new link, and one with an operator none", async () => {
  const settings = { FAREGATE_DATA: parts.folder() };
  const first = await serve(parts, { settings });
  const old = await linkOf(first.server);
  expect(old).toBeDefined();
  await first.server.stop();

  const second = await serve(parts, { settings, process: true });
  const printed = linkIn(second.server.greeting);
  expect(printed).toBeDefined();
  await second.server.stop();

  const third = await serve(parts, { settings });
  const link = (await linkOf(third.server)) ?? "";
  expect(link).not.toBe("");
  expect(new Set([old, printed, link]).size).toBe(3);
  await newOperator(third.server.url.replace(/\/v1$/, ""), link, "op@example.com");
  await third.server.stop();

  const fourth = await serve(parts, { settings });
  expect(await linkOf(fourth.server)).toBeUndefined();
});
