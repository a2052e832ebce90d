// `faregate serve` on a folder from which the money was moved away.
import { expect, test } from "bun:test";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ENTRY, environment, faregate } from "../cli/commands.ts";
import { SQLITE } from "../store/engines.ts";
import { customer } from "../store/samples.ts";
import { partsOfTest } from "../support/houses/house.ts";

const parts = partsOfTest();

test("does not start and says how, and starts with --new", async () => {
  const site = await SQLITE.emptySite(parts);
  const settings = { ...site.settings, FAREGATE_PORT: "0" };
  const store = await site.open();
  await customer(store, { credit: 1n });
  await store.close();
  const path = join(settings.FAREGATE_DATA, "faregate.sqlite");
  rmSync(path);
  const refused = await faregate(["serve"], settings);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain(path);
  expect(refused.stderr).toContain('"faregate serve --new"');
  expect(existsSync(path)).toBe(false);
  const child = Bun.spawn([process.execPath, ENTRY, "serve", "--new"], {
    env: environment(settings),
    stdio: ["ignore", "pipe", "ignore"],
  });
  parts.defer(() => child.kill("SIGKILL"));
  const { value } = await child.stdout.getReader().read();
  expect(new TextDecoder().decode(value)).toContain("Faregate is ready.");
  child.kill("SIGTERM");
  expect(await child.exited).toBe(0);
});
