import { describe, expect, test } from "bun:test";
import { partsOfTest, perSuite } from "../../../test/support/houses/house.ts";
import { operatorHouse, SmallVendor } from "../../../test/support/houses/operator-house.ts";
import { eventually } from "../../../test/support/waiting.ts";

interface ChannelBody {
  readonly id: string;
  readonly enabled: boolean;
  readonly state: string;
  readonly origin: string;
  readonly serves: readonly string[];
  readonly unpriced: readonly string[];
  readonly keys: readonly { last_four: string; state: string; message: string | null }[];
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
  const channel = {
    vendor: "custom",
    base_url: vendor.url,
    keys: [vendor.key],
    models: { "small-model": "vendor-name" },
  };
  const add = async (more: object = {}) => {
    await house.ask("POST", "/models", MODEL);
    return house.ask<ChannelBody>("POST", "/channels", { ...channel, ...more });
  };
  return { vendor, house, channel, add };
}

describe("a channel that is added while the gateway runs", () => {
  test("serves the next request, until it is switched off", async () => {
    const { house, add, vendor } = await setUp();
    expect(await house.listed()).not.toContain("small-model");
    const { status, body } = await add();
    expect(status).toBe(201);
    expect(body).toMatchObject({ id: "custom-1", origin: "console", serves: ["small-model"] });
    expect(await house.listed()).toContain("small-model");

    const answer = await house.chat("small-model");
    expect(answer.status).toBe(200);
    expect(vendor.calls.at(-1)?.body.model).toBe("vendor-name");
    expect(await house.operatorsReceipt(answer)).toMatchObject({ channel: "custom-1" });

    const off = await house.ask<ChannelBody>("PATCH", "/channels/custom-1", { enabled: false });
    expect(off.body.enabled).toBe(false);
    expect((await house.chat("small-model")).status).toBe(404);
    await house.ask("PATCH", "/channels/custom-1", { enabled: true });
    expect((await house.chat("small-model")).status).toBe(200);
    await house.ask("DELETE", "/channels/custom-1");
    expect((await house.chat("small-model")).status).toBe(404);
    expect(house.noted.map(({ action }) => action)).toEqual([
      "model.create",
      "channel.create",
      "channel.change",
      "channel.change",
      "channel.delete",
    ]);
  });

  test("takes the sandbox out, which comes back after it", async () => {
    const { house, add } = await setUp();
    const told: boolean[] = [];
    house.installation.onChannelsChanged = async ({ sandboxOnly }) => {
      told.push(sandboxOnly);
    };
    expect(house.installation.sandboxOnly).toBe(true);
    expect(await house.listed()).toContain("sandbox-1.0");
    await add();
    expect(await house.listed()).toEqual(["small-model"]);
    expect(house.installation.sandboxOnly).toBe(false);
    await house.ask("DELETE", "/channels/custom-1");
    expect(await house.listed()).toContain("sandbox-1.0");
    expect(told).toEqual([false, true]);
  });

  test("keeps its key to itself", async () => {
    const { house, add, vendor } = await setUp();
    await add();
    const { body } = await house.ask("GET", "/channels");
    expect(JSON.stringify(body)).not.toContain(vendor.key);
    expect(JSON.stringify(house.installation.snapshot)).not.toContain(vendor.key);
    expect(JSON.stringify(house.noted)).not.toContain(vendor.key);
    const { body: one } = await house.ask<ChannelBody>("GET", "/channels/custom-1");
    expect(one.keys).toMatchObject([{ last_four: "0001", state: "ok" }]);
  });

  test("is asked for its models at once where it serves whatever its vendor has", async () => {
    const { house, add } = await setUp();
    const { body } = await add({ models: "fetch" });
    expect(body.id).toBe("custom-1");
    await eventually("its models are listed", async () =>
      (await house.listed()).includes("small-model"),
    );
  });
});

describe("counts of a vendor that cannot be true", () => {
  interface Counts {
    readonly counts: { since: string; estimated: number; clamped: number };
  }

  test("are counted for its channel, here and in the metrics", async () => {
    const { house, add, vendor } = await setUp();
    await add();
    const counts = async () => (await house.ask<Counts>("GET", "/channels/custom-1")).body.counts;
    await house.chat("small-model");
    expect(await counts()).toMatchObject({ estimated: 0, clamped: 0 });
    vendor.usage = {};
    await house.chat("small-model");
    expect(await counts()).toMatchObject({ estimated: 1, clamped: 0 });
    vendor.usage = { prompt_tokens: 1e12, completion_tokens: 100 };
    await house.chat("small-model");
    // More than was asked for, which the model could have written: cut, not estimated.
    vendor.usage = { prompt_tokens: 10, completion_tokens: 999 };
    await house.chat("small-model", { max_completion_tokens: 20 });
    expect(await counts()).toMatchObject({ estimated: 2, clamped: 2 });
    expect(Date.parse((await counts()).since)).toBeLessThanOrEqual(Date.now());
    const metrics = house.metrics.write([]);
    expect(metrics).toContain('faregate_usage_estimated_total{channel="custom-1"} 2\n');
    expect(metrics).toContain('faregate_usage_clamped_total{channel="custom-1"} 2\n');
  });
});

describe("a key that the vendor refuses", () => {
  async function refused() {
    const set = await setUp();
    await set.add();
    set.vendor.key = "sk-vendor-key-0002";
    expect((await set.house.chat("small-model")).status).toBe(503);
    const { body } = await set.house.ask<ChannelBody>("GET", "/channels/custom-1");
    return { ...set, body };
  }

  test("is out with the vendor's words", async () => {
    const { house, body } = await refused();
    expect(body.state).toBe("refused");
    expect(body.keys).toMatchObject([{ state: "refused" }]);
    expect(body.keys[0]?.message).toStartWith("401 Incorrect API key provided:");
    expect(body.keys[0]?.message).not.toContain("sk-vendor-key-0001");
    expect((await house.chat("small-model")).status).toBe(503);
  });

  test("stays out when something else of the channel changes, and is back by the button", async () => {
    const { house, vendor } = await refused();
    const { body } = await house.ask<ChannelBody>("PATCH", "/channels/custom-1", { weight: 7 });
    expect(body).toMatchObject({ weight: 7, state: "refused" });
    vendor.key = "sk-vendor-key-0001";
    expect((await house.chat("small-model")).status).toBe(503);
    const revived = await house.ask<ChannelBody>("POST", "/channels/custom-1/revive", {});
    expect(revived.body.state).toBe("untried");
    expect((await house.chat("small-model")).status).toBe(200);
  });

  describe("when the clock was set back since it was last revived", () => {
    /** By the clock of before, which was ahead. */
    const revivedAtMs = Date.now() + 86_400_000;

    type Refusing = Pick<Awaited<ReturnType<typeof setUp>>, "house" | "vendor">;

    async function refusedLater(id: string, { house, vendor }: Refusing) {
      await house.installation.reload();
      vendor.key = "sk-vendor-key-0002";
      expect((await house.chat("small-model")).status).toBe(503);
      const { body } = await house.ask<ChannelBody>("GET", `/channels/${id}`);
      expect(body.state).toBe("refused");
    }

    test.each([
      ["the button", "POST", "/channels/custom-1/revive", {}],
      [
        "keys that are written anew",
        "PATCH",
        "/channels/custom-1",
        { keys: ["sk-vendor-key-0001"] },
      ],
    ])("is back by %s", async (_name, method, path, form) => {
      const set = await setUp();
      await set.add();
      await set.house.tables.changeChannel("custom-1", (kept) => ({ ...kept, revivedAtMs }));
      await refusedLater("custom-1", set);
      const revived = await set.house.ask<ChannelBody>(method, path, form);
      expect(revived.body.state).toBe("untried");
    });

    test("is back by the button where the file has the channel", async () => {
      const vendor = parts.keep(new SmallVendor());
      const file = JSON.stringify({
        channels: [
          {
            id: "mine",
            vendor: "custom",
            base_url: vendor.url,
            keys: [vendor.key],
            models: ["small-model"],
          },
        ],
        models: [MODEL],
      });
      const house = await operatorHouse(parts, { file });
      await house.tables.changeSwitch("mine", (kept) => ({ ...kept, revivedAtMs }));
      await refusedLater("mine", { house, vendor });
      const revived = await house.ask<ChannelBody>("POST", "/channels/mine/revive", {});
      expect(revived.body.state).toBe("untried");
    });
  });

  test("is replaced by another one, beside which the old one can be taken away", async () => {
    const { house } = await refused();
    const added = await house.ask<ChannelBody>("PATCH", "/channels/custom-1", {
      add_keys: ["sk-vendor-key-0002"],
    });
    expect(added.body.keys.map(({ last_four }) => last_four)).toEqual(["0001", "0002"]);
    const removed = await house.ask<ChannelBody>("PATCH", "/channels/custom-1", {
      remove_keys: ["0001"],
    });
    expect(removed.body.keys).toMatchObject([{ last_four: "0002", state: "ok" }]);
    expect((await house.chat("small-model")).status).toBe(200);
  });
});

describe("a test of a channel", () => {
  test("is one small real call with each key", async () => {
    const { house, add, vendor } = await setUp();
    await add();
    const good = await house.ask("POST", "/channels/custom-1/test", {});
    expect(good.body).toMatchObject({ ok: true, method: "generate", status: 200, error: null });
    expect(vendor.calls.at(-1)?.body).toMatchObject({ model: "vendor-name", max_tokens: 16 });
    await house.ask("PATCH", "/channels/custom-1", { add_keys: ["sk-wrong-key-9999"] });
    const bad = await house.ask("POST", "/channels/custom-1/test", { model: "small-model" });
    expect(bad.body).toMatchObject({ ok: false, status: 401 });
    expect(bad.body.error).toStartWith("401 Incorrect API key provided:");
    expect(JSON.stringify(bad.body)).not.toContain("sk-wrong-key-9999");
    expect(bad.body.keys).toMatchObject([
      { last_four: "0001", ok: true },
      { last_four: "9999", ok: false },
    ]);
  });

  test.each([
    ["an answer", 200, { ok: false, status: null }],
    ["a refusal, of which the status counts", 500, { ok: false, status: 500, error: "500" }],
  ])("reads no more of %s than a test needs", async (_what, status, told) => {
    const { house, add, vendor } = await setUp();
    await add();
    const { script } = vendor;
    vendor.script = async (call) => {
      const answered = (await (await script(call)).json()) as object;
      const error = { message: "x".repeat(600_000) };
      return Response.json({ ...answered, error }, { status });
    };
    const { body } = await house.ask("POST", "/channels/custom-1/test", {});
    expect(body).toMatchObject(told);
  });

  test("asks for the list where there is no model to ask for", async () => {
    const { house, channel, vendor } = await setUp();
    await house.ask("POST", "/channels", { ...channel, models: "fetch", id: "empty" });
    vendor.models = [];
    const { body } = await house.ask("POST", "/channels/empty/test", {});
    expect(body).toMatchObject({ ok: true, method: "list", model: null });
    const { status } = await house.ask("POST", "/channels/empty/test", { model: "gpt-5.4" });
    expect(status).toBe(400);
  });

  test("tells of a vendor that is not there, and works for a channel that is switched off", async () => {
    const { house, add } = await setUp();
    await add({ base_url: "http://127.0.0.1:1/v1", enabled: false });
    const { body } = await house.ask("POST", "/channels/custom-1/test", {});
    expect(body).toMatchObject({ ok: false, status: null });
    expect(body.error).toBeString();
    expect((await house.ask("POST", "/channels/none/test", {})).status).toBe(404);
  });

  test("brings a refused key back that answers again", async () => {
    const { house, add, vendor } = await setUp();
    await add();
    vendor.key = "another";
    expect((await house.chat("small-model")).status).toBe(503);
    vendor.key = "sk-vendor-key-0001";
    await house.ask("POST", "/channels/custom-1/test", {});
    expect((await house.chat("small-model")).status).toBe(200);
  });
});

describe("what is wrong with a channel", () => {
  /** For what is refused, by which nothing changes. */
  const unchanged = perSuite((opened) => operatorHouse(opened));

  test.each([
    ["vendor", { vendor: "opnai" }],
    ["keys", { vendor: "openai", keys: [] }],
    ["base_url", { vendor: "custom", base_url: "not an address" }],
    ["base_url", { vendor: "custom", base_url: "http://ann:secret@127.0.0.1/v1" }],
    ["weight", { vendor: "openai", keys: ["k"], weight: 0 }],
    ["models", { vendor: "openai", keys: ["k"], models: ["no-such-model"] }],
    ["keys", { vendor: "openai", keys: ["$" + "{PATH}"] }],
    ["colour", { vendor: "openai", keys: ["k"], colour: "red" }],
    ["id", { vendor: "custom", base_url: "http://127.0.0.1/v1", id: "openai" }],
  ])("is said at the field %s", async (param, form) => {
    const { status, body } = await unchanged.ask<ChannelBody>("POST", "/channels", form);
    expect({ status, param: body.error.param }).toEqual({ status: 400, param });
    expect(body.error.message).not.toContain("secret");
  });

  test("is told before anything is stored, also of a change", async () => {
    const { house, add } = await setUp();
    await add();
    const again = await house.ask<ChannelBody>("POST", "/channels", {
      vendor: "custom",
      base_url: "http://127.0.0.1/v1",
      id: "custom-1",
    });
    expect(again.body.error.param).toBe("id");
    const { body } = await house.ask<ChannelBody>("PATCH", "/channels/custom-1", { priority: 0.5 });
    expect(body.error.param).toBe("priority");
    expect(house.installation.snapshot.channels).toHaveLength(1);
    expect((await house.ask("PATCH", "/channels/none", { weight: 1 })).status).toBe(404);
    expect((await house.ask("DELETE", "/channels/none")).status).toBe(404);
  });
});

describe("a channel that names a model which is gone", () => {
  async function withoutModel() {
    const { house, add } = await setUp();
    await add();
    expect((await house.ask("DELETE", "/models/small-model")).status).toBe(200);
    return (form: object) => house.ask<ChannelBody>("PATCH", "/channels/custom-1", form);
  }

  test("can be changed and switched off, and says which one it does not serve", async () => {
    const change = await withoutModel();
    expect((await change({ weight: 7, add_keys: ["sk-vendor-key-0002"] })).status).toBe(200);
    expect(await change({ enabled: false })).toMatchObject({
      status: 200,
      body: { enabled: false, weight: 7, serves: [], unpriced: ["small-model"] },
    });
  });

  test("is refused at its models where a form names them", async () => {
    const change = await withoutModel();
    const { status, body } = await change({ models: ["small-model"], enabled: false });
    expect({ status, param: body.error.param }).toEqual({ status: 400, param: "models" });
    expect(await change({ models: null })).toMatchObject({ status: 200, body: { unpriced: [] } });
  });
});

test("a channel of the environment can be switched off, and nothing else", async () => {
  const { house } = await setUp({ env: { OPENAI_API_KEY: "sk-of-the-environment" } });
  expect(await house.listed()).toContain("gpt-5.4");
  const off = await house.ask<ChannelBody>("PATCH", "/channels/openai", { enabled: false });
  expect(off.body).toMatchObject({ id: "openai", origin: "environment", enabled: false });
  expect(await house.listed()).toContain("sandbox-1.0");
  const wrong = await house.ask<ChannelBody>("PATCH", "/channels/openai", { weight: 5 });
  expect(wrong.body.error.param).toBe("weight");
  expect((await house.ask("DELETE", "/channels/openai")).status).toBe(400);
  await house.ask("PATCH", "/channels/openai", { enabled: true });
  expect(await house.listed()).toContain("gpt-5.4");
});

test("what is set through one process is in force in another within a second or two", async () => {
  const first = await setUp();
  const second = await setUp({ sql: first.house.store.sql });
  await first.add();
  await eventually("the other process lists it", async () =>
    (await second.house.listed()).includes("small-model"),
  );
  expect((await second.house.chat("small-model")).status).toBe(200);
  await first.house.ask("PATCH", "/channels/custom-1", { enabled: false });
  await eventually("the other process has switched it off", async () => {
    return !(await second.house.listed()).includes("small-model");
  });
});
