// What is known of a channel before anybody calls it, and how it is found out before it is saved.
import { describe, expect, test } from "bun:test";
import { onEngines } from "../../../test/store/engines.ts";
import { partsOfTest } from "../../../test/support/houses/house.ts";
import { operatorHouse, SmallVendor } from "../../../test/support/houses/operator-house.ts";

interface Shown {
  readonly id: string;
  readonly state: string;
  readonly serves: readonly string[];
  readonly last_error: { readonly kind: string; readonly message: string } | null;
  readonly keys: readonly { readonly state: string }[];
  readonly error: { readonly param: string; readonly message: string };
}

const MODEL = {
  id: "small-model",
  owned_by: "tests",
  context: 8_000,
  max_output: 1_000,
  price: { input: "1", output: "4" },
};

const parts = partsOfTest();

async function setUp(options: Parameters<typeof operatorHouse>[1] = {}) {
  const vendor = parts.keep(new SmallVendor());
  const house = await operatorHouse(parts, options);
  const form = { vendor: "custom", base_url: vendor.url, keys: [vendor.key] };
  const add = (more: object = {}) =>
    house.ask<Shown>("POST", "/channels", { ...form, models: ["small-model"], ...more });
  const show = async () => (await house.ask<Shown>("GET", "/channels/custom-1")).body;
  const tryOut = (more: object = {}) =>
    house.ask<Shown & { models: unknown; ok: boolean; method: string }>("POST", "/channels/try", {
      ...form,
      ...more,
    });
  return { vendor, house, form, add, show, tryOut };
}

describe("a channel", () => {
  test("is untried until it has answered, and then well", async () => {
    const { house, add, show } = await setUp();
    await house.ask("POST", "/models", MODEL);
    expect((await add()).body.state).toBe("untried");
    await house.chat("small-model");
    expect((await show()).state).toBe("ok");
    // What does not touch its place or its keys changes nothing of what is known.
    await house.ask("PATCH", "/channels/custom-1", { weight: 3 });
    expect((await show()).state).toBe("ok");
    await house.ask("PATCH", "/channels/custom-1", { keys: ["sk-another-key-0007"] });
    expect((await show()).state).toBe("untried");
  });

  test("that nobody could reach is failing, not well", async () => {
    const { house, add, show } = await setUp();
    await house.ask("POST", "/models", MODEL);
    await add({ base_url: "http://127.0.0.1:1/v1" });
    await house.chat("small-model");
    expect(await show()).toMatchObject({ state: "failing", last_error: { kind: "unreachable" } });
  });

  test("whose test failed is not well until something answers", async () => {
    const { house, add, show, vendor } = await setUp();
    await house.ask("POST", "/models", MODEL);
    await add();
    await house.chat("small-model");
    const { script } = vendor;
    const broken = async () => Response.json({ error: { message: "On fire" } }, { status: 500 });
    vendor.script = broken;
    await house.ask("POST", "/channels/custom-1/test", {});
    expect(await show()).toMatchObject({
      state: "failing",
      last_error: { kind: "vendor", message: "500 On fire" },
    });
    vendor.script = script;
    await house.ask("POST", "/channels/custom-1/test", {});
    expect((await show()).state).toBe("ok");
  });

  test("whose key is refused in its test is out, as by a request", async () => {
    const { house, add, show, vendor } = await setUp();
    await house.ask("POST", "/models", MODEL);
    await add();
    vendor.key = "another";
    await house.ask("POST", "/channels/custom-1/test", {});
    expect(await show()).toMatchObject({ state: "refused", keys: [{ state: "refused" }] });
    const revived = await house.ask<Shown>("POST", "/channels/custom-1/revive", {});
    expect(revived.body.state).toBe("untried");
  });

  test("that is built in needs no try", async () => {
    const { house } = await setUp();
    const { body } = await house.ask<{ data: Shown[] }>("GET", "/channels");
    expect(body.data).toMatchObject([{ id: "sandbox", state: "ok" }]);
  });
});

describe("a channel that is tried before it is saved", () => {
  test("answers with what its vendor has, and is nowhere afterwards", async () => {
    const { house, tryOut, vendor } = await setUp();
    await house.ask("POST", "/models", { ...MODEL, upstream: { custom: "small-model" } });
    vendor.models = ["small-model", "unheard-of"];
    const { status, body } = await tryOut({ models: "fetch" });
    expect(status).toBe(200);
    expect(body).toMatchObject({ object: "channel_trial", ok: true, method: "generate" });
    expect(body.models).toEqual([
      { name: "small-model", model: "small-model" },
      { name: "unheard-of", model: null },
    ]);
    expect(house.installation.snapshot.channels).toEqual([]);
    const detail = { ok: true, base_url: vendor.url };
    expect(house.noted.at(-1)).toMatchObject({ action: "channel.try", detail });
    expect(JSON.stringify(house.noted)).not.toContain(vendor.key);
  });

  test("is not untried once it is saved as it answered", async () => {
    const { house, tryOut, add } = await setUp();
    await house.ask("POST", "/models", MODEL);
    await tryOut({ models: ["small-model"] });
    // Another name of the same place and key changes nothing of that.
    expect((await add({ name: "Main" })).body.state).toBe("ok");
    const other = await add({ keys: ["sk-another-key-0007"] });
    expect(other.body).toMatchObject({ id: "custom-2", state: "untried" });
  });

  test("asks for the list where none of its models has a price", async () => {
    const { tryOut } = await setUp();
    const { body } = await tryOut({ models: "fetch" });
    expect(body).toMatchObject({ ok: true, method: "list" });
    expect(body.models).toEqual([{ name: "small-model", model: null }]);
  });

  test("says in the vendor's words what is wrong, and nothing of the key", async () => {
    const { tryOut } = await setUp();
    const { status, body } = await tryOut({ keys: ["sk-wrong-key-9999"] });
    expect([status, body.ok, body.models]).toEqual([200, false, null]);
    expect(body.error as unknown).toStartWith("401 Incorrect API key provided:");
    expect(JSON.stringify(body)).not.toContain("sk-wrong-key-9999");
    const away = await tryOut({ base_url: "http://127.0.0.1:1/v1" });
    expect(away.body).toMatchObject({ ok: false, models: null });
  });

  test("says at its field what is no channel", async () => {
    const { tryOut } = await setUp();
    const { status, body } = await tryOut({ base_url: "nowhere" });
    expect([status, body.error.param]).toEqual([400, "base_url"]);
  });

  test("is one that exists with a change, and the keys that it has", async () => {
    const { house, add, tryOut, vendor } = await setUp();
    await house.ask("POST", "/models", MODEL);
    await add();
    const kept = { keys: undefined, vendor: undefined, base_url: undefined };
    expect((await tryOut({ ...kept, id: "custom-1" })).body).toMatchObject({ ok: true });
    vendor.key = "sk-vendor-key-0002";
    const added = { ...kept, id: "custom-1", add_keys: [vendor.key], remove_keys: ["0001"] };
    expect((await tryOut(added)).body).toMatchObject({ ok: true, keys: [{ last_four: "0002" }] });
    expect((await tryOut({ ...kept, id: "custom-1" })).body).toMatchObject({ ok: false });
    const { body } = await house.ask<Shown>("GET", "/channels/custom-1");
    expect(body.state).toBe("untried");
  });

  test("does not take the keys that it has to another address, tried or saved", async () => {
    const { house, add, vendor } = await setUp();
    await house.ask("POST", "/models", MODEL);
    await add();
    const thief = parts.keep(new SmallVendor());
    const moved = { id: "custom-1", base_url: thief.url };
    const asked = [
      await house.ask<Shown>("POST", "/channels/try", moved),
      await house.ask<Shown>("PATCH", "/channels/custom-1", { base_url: thief.url }),
      await house.ask<Shown>("POST", "/channels/try", { ...moved, add_keys: ["sk-bait-0009"] }),
    ];
    expect(asked.map(({ status, body }) => [status, body.error.param])).toEqual([
      [400, "keys"],
      [400, "keys"],
      [400, "keys"],
    ]);
    expect(thief.calls).toEqual([]);
    // Whoever knows the keys may take them along, and another path is the same place.
    const anew = { ...moved, add_keys: [thief.key], remove_keys: [vendor.key.slice(-4)] };
    expect((await house.ask("POST", "/channels/try", anew)).body).toMatchObject({ ok: true });
    const path = { base_url: vendor.url.replace(/\/v1$/, "/v2") };
    expect((await house.ask("PATCH", "/channels/custom-1", path)).status).toBe(200);
  });

  test("can be tried with a model that is about to get its price", async () => {
    const { tryOut, vendor, house } = await setUp();
    const named = { models: { "small-model": "vendor-name" }, new_models: [MODEL] };
    const { body } = await tryOut(named);
    expect(body).toMatchObject({ ok: true, method: "generate", model: "small-model" });
    expect(vendor.calls.at(-1)?.body.model).toBe("vendor-name");
    expect(await house.listed()).not.toContain("small-model");
  });
});

onEngines("a channel with models that nobody priced on $name", (engine) => {
  test("brings their prices along, and serves them at once", async () => {
    const { house, add } = await setUp({ engine });
    const { status, body } = await add({ new_models: [MODEL] });
    expect([status, body.serves]).toEqual([201, ["small-model"]]);
    const answer = await house.chat("small-model");
    expect(await house.operatorsReceipt(answer)).toMatchObject({
      channel: "custom-1",
      status: 200,
    });
    expect(house.noted.map(({ action }) => action)).toEqual(["channel.create", "model.create"]);
    const more = { ...MODEL, id: "other-model" };
    const changed = await house.ask<Shown>("PATCH", "/channels/custom-1", {
      models: ["small-model", "other-model"],
      new_models: [more],
    });
    expect(changed.body.serves).toEqual(["small-model", "other-model"]);
  });

  test("brings along models that stand in for each other", async () => {
    const { house, add } = await setUp({ engine });
    const other = { ...MODEL, id: "other-model" };
    const pair = [
      { ...MODEL, fallbacks: ["other-model"] },
      { ...other, fallbacks: ["small-model"] },
    ];
    const wrong = await add({ new_models: [MODEL, { ...other, fallbacks: ["nobody"] }] });
    expect(wrong.body.error.param).toBe("new_models.1.fallbacks");
    expect((await add({ new_models: pair })).status).toBe(201);
    expect((await house.ask("GET", "/models/small-model")).body).toMatchObject({
      fallbacks: ["other-model"],
      problem: null,
    });
  });

  test("is refused whole, at the field, when one of the prices is no price", async () => {
    const { house, add } = await setUp({ engine });
    const { price: _price, ...free } = MODEL;
    const wrong = await add({ new_models: [MODEL, { ...free, id: "other" }] });
    expect(wrong.status).toBe(400);
    expect(wrong.body.error.param).toBe("new_models.1.price");
    const unnamed = await add({ models: ["nobody"], new_models: [MODEL] });
    expect(unnamed.body.error.param).toBe("models");
    const { channels, models, prices } = house.installation.snapshot;
    expect([channels, models, prices]).toEqual([[], [], []]);
    await add({ new_models: [MODEL] });
    const twice = await add({ new_models: [MODEL] });
    expect(twice.body.error.param).toBe("new_models.0.id");
  });
});
