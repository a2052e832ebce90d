import { beforeEach, describe, expect, test } from "bun:test";
import { perTest } from "../../../test/support/houses/house.ts";
import { operatorHouse, SmallVendor } from "../../../test/support/houses/operator-house.ts";
import type { StoredChannel } from "../../installation/snapshot.ts";
import { createVault } from "../../lib/secrets/vault.ts";

const vendor = perTest((parts) => parts.keep(new SmallVendor()));
const house = perTest(operatorHouse);
beforeEach(async () => {
  const channel = { vendor: "custom", base_url: vendor.url, keys: [vendor.key], weight: 3 };
  expect((await house.ask("POST", "/channels", channel)).status).toBe(201);
});

const PATH = "/channels/custom-1";
type Shown = { state: string; problem: string | null; error: { message: string; param: string } };

/** What no call of the API stores, but another secret or another version leaves behind. */
async function spoil(changes: Partial<StoredChannel>): Promise<void> {
  await house.tables.changeChannel("custom-1", (stored) => ({ ...stored, ...changes }));
  await house.installation.reload();
}

const foreign = createVault("another secret of the tests, as long as it").seal('{"keys":["k"]}');

describe.each([
  ["secrets of another vault", { secrets: foreign }, /cannot be opened/],
  ["secrets that are none", { secrets: "plain" }, /not sealed/],
  ["words that are no JSON", { form: "{" }, /cannot be read/],
])("a channel with %s", (_what, broken, reason) => {
  test("is shown with its problem, and a change says which field repairs it", async () => {
    await spoil(broken);
    expect((await house.ask<Shown>("GET", PATH)).body).toMatchObject({ state: "broken" });
    const { status, body } = await house.ask<Shown>("PATCH", PATH, { weight: 5 });
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ param: "keys", message: expect.stringMatching(reason) });
    expect((await house.ask("GET", "/channels")).status).toBe(200);
  });

  test("is whole again once its keys are written anew", async () => {
    await spoil(broken);
    const words = "form" in broken ? { vendor: "custom", base_url: vendor.url } : {};
    const { status, body } = await house.ask<Shown & { weight: number }>("PATCH", PATH, {
      ...words,
      keys: [vendor.key],
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ state: "untried", problem: null });
    expect(body.weight).toBe("form" in broken ? 1 : 3);
  });
});

test("words that are none of today are named when the channel is changed", async () => {
  const form = JSON.stringify({ id: "custom-1", vendor: "custom", base_url: "x", weight: "heavy" });
  await spoil({ form });
  const { status, body } = await house.ask<Shown>("PATCH", PATH, { base_url: vendor.url });
  expect(status).toBe(400);
  expect(body.error.param).toBe("weight");
  expect((await house.ask("PATCH", PATH, { base_url: vendor.url, weight: 2 })).status).toBe(200);
});
