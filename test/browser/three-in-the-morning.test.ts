// Three in the morning, in real Chromium on a real server: one vendor fails, another has no quota left, and the disk is
// full. The page where an operator lands says each, with a button that leads to what helps.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Locator } from "playwright-core";
import { fillDisk, smallDiskIfAllowed } from "../outages/small-disk.ts";
import { partsOfTest } from "../support/houses/house.ts";
import { refusing } from "../support/vendors/good-vendor.ts";
import { type Script, ScriptedVendor } from "../support/vendors/scripted-vendor.ts";
import { modelEntry } from "../support/vendors/vendor-house.ts";
import { ENGLISH, launchChromium, looksOr, nameOf } from "./chromium.ts";
import { violations } from "./seeing/axe.ts";
import { addressOf, becomeOperator, say, see, startWalk, type Walker } from "./steps/walker.ts";

const DISK_KILOBYTES = 96 * 1024;
/** The promise of the page: a trouble is said within this time. */
const TOLD_MS = 10_000;
const FAILING = { id: "failing", model: "failing-1.0" };
const SPENT = { id: "spent", model: "spent-1.0" };

const parts = partsOfTest();
let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser.close());

const noQuota: Script = (_call, reply) =>
  reply.whole(
    429,
    JSON.stringify({
      error: {
        message: "You exceeded your current quota, please check your plan.",
        type: "insufficient_quota",
        code: "insufficient_quota",
      },
    }),
  );

/** A server on a small disk, with two vendors that a test plays. */
async function house() {
  const vendor = parts.keep(await ScriptedVendor.start());
  const disk = smallDiskIfAllowed(parts, DISK_KILOBYTES);
  const channel = ({ id, model }: typeof FAILING) => ({
    ...{ id, vendor: "custom", base_url: vendor.url(id), protocols: ["responses"] },
    ...{ keys: [`sk-${id}-0123456789abcdef`], models: { [model]: "vendor-name" } },
  });
  const channels = [FAILING, SPENT].map(channel);
  const models = [FAILING, SPENT].map(({ model }) => modelEntry(model));
  const file = join(parts.folder(), "faregate.yaml");
  writeFileSync(file, JSON.stringify({ channels, models }));
  const FAREGATE_DATA = disk ?? parts.folder();
  return {
    vendor,
    disk,
    settings: { FAREGATE_DATA, FAREGATE_CONFIG: file, FAREGATE_SANDBOX: "on" },
  };
}

/** The row of a trouble, which has come within the promised time. */
async function rowOf({ page }: Walker, title: string | RegExp): Promise<Locator> {
  const row = page.getByRole("listitem").filter({ hasText: title });
  await row.waitFor({ timeout: TOLD_MS });
  return row;
}

/** Presses the button of a row, sees where it leads, and comes back. */
async function follow(walker: Walker, row: Locator, button: string, title: string) {
  await row.getByRole("link", { name: button, exact: true }).click();
  await see(walker, title);
  await walker.page.goto(addressOf(walker, "/"));
}

/** Calls a model until its channel takes no more requests. */
async function wearOut({ server }: Walker, secret: string, model: string): Promise<void> {
  for (let calls = 0; calls < 12; calls++) {
    const response = await server.post("/responses", secret, { model, input: "Say hello." });
    await response.text();
    expect(response.status).toBeGreaterThanOrEqual(400);
  }
}

/** The disk fills, the pages say it and are served all the same, and it is over once there is room again. */
async function fillAndEmpty(walker: Walker, disk: string, secret: string): Promise<void> {
  const { page, words, server } = walker;
  const { health } = words;
  const filler = fillDisk(disk);
  const full = await rowOf(walker, health.disk_full.split("{free}")[0] ?? "");
  // It waits for the disk.
  const asked = server.post("/responses", secret, { model: FAILING.model, input: "Hi." });
  const storage = await rowOf(walker, health.storage_down);
  await storage.getByRole("link", { name: health.openSystem }).waitFor();
  // A page that is opened now is served, without a write.
  await page.reload();
  await see(walker, words.overview.title);
  await rowOf(walker, say(health.channel_quota, { name: SPENT.id }));
  await full.getByRole("link", { name: health.openSystem, exact: true }).click();
  await see(walker, words.system.title);
  await page.getByRole("region", { name: health.now }).waitFor({ timeout: TOLD_MS });
  expect(await violations(page)).toEqual([]);

  rmSync(filler);
  await (await asked).text();
  await page.goto(addressOf(walker, "/operator"));
  await see(walker, words.nav.operatorHome);
  await rowOf(walker, say(health.channel_quota, { name: SPENT.id }));
  await storage.waitFor({ state: "detached" });
  await full.waitFor({ state: "detached" });
}

test.each(looksOr(ENGLISH).map((look) => [nameOf(look), look] as const))(
  "an operator at three in the morning: %s",
  async (_, look) => {
    const { vendor, disk, settings } = await house();
    const walker = await startWalk(browser, look, settings, { inProcesses: true });
    const { words, server } = walker;
    const { health } = words;
    try {
      await becomeOperator(walker);
      const secret = /sk-fg-\w+/.exec(server.greeting)?.[0] ?? "";
      vendor.play(FAILING.id, refusing(500));
      await wearOut(walker, secret, FAILING.model);
      const failing = await rowOf(walker, say(health.channel_down, { name: FAILING.id }));
      await follow(walker, failing, health.openChannel, words.channels.title);

      vendor.play(SPENT.id, noQuota);
      await wearOut(walker, secret, SPENT.model);
      const spent = await rowOf(walker, say(health.channel_quota, { name: SPENT.id }));
      await spent.getByText("You exceeded your current quota").waitFor();
      await rowOf(walker, "503");
      expect(await violations(walker.page)).toEqual([]);
      await follow(walker, spent, health.openChannel, words.channels.title);

      if (disk) await fillAndEmpty(walker, disk, secret);
    } finally {
      await walker.end();
    }
  },
  120_000,
);
