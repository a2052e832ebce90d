import { describe, expect, test } from "bun:test";
import { partsOfTest, perSuite } from "../../../test/support/houses/house.ts";
import { operatorHouse } from "../../../test/support/houses/operator-house.ts";

interface PriceBody {
  readonly id: string | null;
  readonly version: string;
  readonly pending: boolean;
  readonly input: string;
  readonly output: string;
}

interface ModelBody {
  readonly id: string;
  readonly origin: string;
  readonly price_version: string;
  readonly prices: readonly PriceBody[];
  readonly channels: readonly string[];
  readonly fallbacks: readonly string[];
  readonly problem: string | null;
  readonly error: { readonly param: string | null; readonly message: string };
}

interface PreviewBody {
  readonly data: readonly {
    readonly model: string;
    readonly effective_from: string;
    readonly changes: readonly { rate: string; old: string; new: string; percent: string }[];
  }[];
}

const DAY_MS = 86_400_000;
const tomorrow = (time: string) =>
  `${new Date(Date.now() + DAY_MS).toISOString().slice(0, 10)}${time}`;
const MODEL = {
  id: "team/model-1",
  owned_by: "tests",
  context: 8_000,
  max_output: 1_000,
  upstream: { sandbox: "sandbox-1.0" },
  price: { input: "1", output: "4" },
};

const parts = partsOfTest();

async function setUp(options: Parameters<typeof operatorHouse>[1] = {}) {
  const house = await operatorHouse(parts, options);
  const charged = async (model: string) => {
    const answer = await house.chat(model);
    expect(answer.status).toBe(200);
    return house.receipt(answer);
  };
  return { house, charged };
}

/** For what is refused, by which nothing changes. */
const unchanged = perSuite((opened) => operatorHouse(opened));

describe("a price that is set", () => {
  test("is what the next request pays, and its receipt names the version", async () => {
    const { house, charged } = await setUp();
    expect(await charged("sandbox-1.0")).toMatchObject({ price_version: "plan/2026-11-01" });
    const form = { input: "2.5", output: "10" };
    const { status, body } = await house.ask<ModelBody>("PUT", "/models/sandbox-1.0/price", form);
    expect(status).toBe(200);
    expect(body.price_version).toStartWith("console/20");
    expect(body.prices[0]).toMatchObject({ input: "2.5", output: "10.0", pending: false });
    const receipt = await charged("sandbox-1.0");
    expect(receipt.price_version).toBe(body.price_version.replace("console", "plan"));
    expect(receipt.lines).toContainEqual(
      expect.objectContaining({ item: "output", unit_price: "0.00001" }),
    );
    expect(await house.store.ledger.verify()).toMatchObject({ problems: [] });
  });

  test("is told beforehand, and nothing changes by that", async () => {
    const { house, charged } = await setUp();
    const form = { input: "1.5", cache_read: "0.1", output: "4", web_search_per_thousand: "5" };
    const path = "/models/sandbox-1.0/price?preview=true";
    const { body } = await house.ask<PreviewBody>("PUT", path, form);
    expect(body.data).toMatchObject([
      {
        model: "sandbox-1.0",
        old_version: "2026-11-01",
        changes: [
          { rate: "input", old: "1.0", new: "1.5", percent: "50.00" },
          { rate: "cache_write", old: "1.0", new: "1.5", percent: "50.00" },
          { rate: "cache_write_long", old: "1.0", new: "1.5", percent: "50.00" },
        ],
      },
    ]);
    expect(await charged("sandbox-1.0")).toMatchObject({ price_version: "plan/2026-11-01" });
    expect(house.installation.snapshot.prices).toEqual([]);
    expect(house.noted).toEqual([]);
  });

  test("can begin later, and be taken back until it does", async () => {
    const { house, charged } = await setUp();
    const later = new Date(Date.now() + DAY_MS).toISOString();
    const form = { input: "9", output: "9", effective_from: later };
    const { body } = await house.ask<ModelBody>("PUT", "/models/sandbox-1.0/price", form);
    expect(body.price_version).toBe("2026-11-01");
    expect(body.prices[0]).toMatchObject({ pending: true, version: `console/${later}` });
    expect(await charged("sandbox-1.0")).toMatchObject({ price_version: "plan/2026-11-01" });
    const again = { ...form, input: "8" };
    const second = await house.ask<ModelBody>("PUT", "/models/sandbox-1.0/price", again);
    expect(second.body.prices.map(({ input }) => input)).toEqual(["8.0", "1.0"]);
    const id = second.body.prices[0]?.id;
    const withdrawn = await house.ask<ModelBody>("DELETE", `/prices/${id}`);
    expect(withdrawn.body.prices).toHaveLength(1);
    await house.ask("PUT", "/models/sandbox-1.0/price", { input: "2", output: "2" });
    const inForce = house.installation.snapshot.prices[0]?.id;
    expect((await house.ask("DELETE", `/prices/${inForce}`)).status).toBe(400);
  });

  test("stays where the model would not fit without it", async () => {
    const { house } = await setUp();
    const path = "/models/sandbox-1.0";
    const later = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
    const searching = { input: "9", output: "9", web_search_per_thousand: "5" };
    await house.ask("PUT", `${path}/price`, { ...searching, effective_from: later(1) });
    await house.ask("PATCH", path, { capabilities: ["stream", "web_search"] });
    const last = { input: "7", output: "7", effective_from: later(2) };
    const { body } = await house.ask<ModelBody>("PUT", `${path}/price`, last);
    const [second, first] = body.prices;
    const refused = await house.ask<ModelBody>("DELETE", `/prices/${first?.id}`);
    expect({ status: refused.status, param: refused.body.error?.param }).toEqual({
      status: 400,
      param: "id",
    });
    const { body: kept } = await house.ask<ModelBody>("GET", path);
    expect(kept.problem).toBeNull();
    expect(kept.prices.map(({ input }) => input)).toEqual(["7.0", "9.0", "1.0"]);
    // From the last one back they go, since each leaves a model that fits.
    expect((await house.ask("DELETE", `/prices/${second?.id}`)).status).toBe(200);
    expect((await house.ask("DELETE", `/prices/${first?.id}`)).status).toBe(200);
  });

  test.each([
    ["output", { input: "1" }],
    ["input", { input: "0", output: "1" }],
    ["input", { input: "-1", output: "1" }],
    ["cache_read", { input: "1", output: "1", cache_read: "0.0" }],
    ["input", { input: "100000.1", output: "1" }],
    ["output", { input: "1", output: "99999999999999999999" }],
    ["cache_read", { input: "1", output: "1", cache_read: "9".repeat(5_000) }],
    ["input", { input: `1.${"0".repeat(5_000)}`, output: "1" }],
    ["web_search_per_thousand", { input: "1", output: "1", web_search_per_thousand: "100001" }],
    [
      "above",
      { input: "1", output: "1", above: [{ prompt_tokens: 1, input: "1e9", output: "1" }] },
    ],
    ["above", { input: "1", output: "1", above: [{ prompt_tokens: 1, input: "200000" }] }],
    ["inptu", { inptu: "1", output: "1" }],
    ["effective_from", { input: "1", output: "1", effective_from: "2020-01-01" }],
    ["effective_from", { input: "1", output: "1", effective_from: "soon" }],
    ["effective_from", { input: "1", output: "1", effective_from: tomorrow("T12:00:00") }],
    ["free", { free: true }],
  ])(
    "is refused at the field %s where something would be free, absurd or is not understood",
    async (param, form) => {
      const path = "/models/sandbox-1.0/price";
      const { status, body } = await unchanged.ask<ModelBody>("PUT", path, form);
      expect({ status, param: body.error.param }).toEqual({ status: 400, param });
      expect(unchanged.installation.snapshot.prices).toEqual([]);
    },
  );
});

describe("a model that is added", () => {
  test("can be called at once under its own name, and is gone when it is removed", async () => {
    const { house, charged } = await setUp();
    const { status, body } = await house.ask<ModelBody>("POST", "/models", MODEL);
    expect(status).toBe(201);
    expect(body).toMatchObject({ origin: "console", channels: ["sandbox"] });
    expect(await charged("team/model-1")).toMatchObject({ model: "team/model-1" });
    const path = `/models/${encodeURIComponent("team/model-1")}`;
    const dearer = await house.ask<ModelBody>("PUT", `${path}/price`, { input: "2", output: "8" });
    expect(dearer.body.prices.map(({ output }) => output)).toEqual(["8.0", "4.0"]);
    const { body: edited } = await house.ask("PATCH", path, { context: 4_000 });
    expect(edited).toMatchObject({ context: 4_000 });
    expect(await house.ask("DELETE", path)).toMatchObject({ body: { deleted: true } });
    expect((await house.chat("team/model-1")).status).toBe(404);
  });

  test("is free only where that is said", async () => {
    const { house, charged } = await setUp();
    const { price: _price, ...unpriced } = MODEL;
    const refused = await house.ask<ModelBody>("POST", "/models", unpriced);
    expect(refused.body.error.param).toBe("price");
    const { body } = await house.ask<ModelBody>("POST", "/models", { ...unpriced, free: true });
    expect(body.price_version).toBe("console/free");
    expect(await charged("team/model-1")).toMatchObject({ cost: "0.0" });
    const path = `/models/${encodeURIComponent("team/model-1")}/price`;
    expect((await house.ask("PUT", path, { input: "1", output: "1" })).status).toBe(400);
  });

  test.each([
    ["id", { id: "gpt-5.4" }],
    ["id", { id: "a b" }],
    ["context", { context: undefined }],
    ["endpoints", { endpoints: ["chatter"] }],
    ["fallbacks", { fallbacks: ["no-such-model"] }],
  ])("is refused at the field %s", async (param, wrong) => {
    const form = { ...MODEL, ...wrong };
    const { status, body } = await unchanged.ask<ModelBody>("POST", "/models", form);
    expect({ status, param: body.error.param }).toEqual({ status: 400, param });
    expect(unchanged.installation.snapshot.models).toEqual([]);
  });
});

describe("a model that another one stands in for", () => {
  const ONE = { ...MODEL, id: "one" };
  const TWO = { ...MODEL, id: "two" };

  async function withBoth() {
    const { house, charged } = await setUp();
    for (const form of [ONE, TWO]) await house.ask("POST", "/models", form);
    const said = await house.ask<ModelBody>("PATCH", "/models/one", { fallbacks: ["two"] });
    return { house, charged, said };
  }

  test("may be older than the other", async () => {
    const { charged, said } = await withBoth();
    expect(said).toMatchObject({ status: 200, body: { fallbacks: ["two"], problem: null } });
    expect(await charged("one")).toMatchObject({ model: "one" });
  });

  test("keeps the price that the console gave it", async () => {
    const { house, charged } = await setUp();
    const path = "/models/sandbox-1.0";
    await house.ask("PATCH", path, { context: 4_000 });
    const dear = { input: "1000", output: "1000" };
    const { body: priced } = await house.ask<ModelBody>("PUT", `${path}/price`, dear);
    await house.ask("POST", "/models", TWO);
    const { body } = await house.ask<ModelBody>("PATCH", path, { fallbacks: ["two"] });
    expect(body).toMatchObject({
      fallbacks: ["two"],
      price_version: priced.price_version,
      problem: null,
    });
    const paid = priced.price_version.replace("console", "plan");
    expect(await charged("sandbox-1.0")).toMatchObject({ price_version: paid });
  });

  test("is served when the other one is gone, and says what it names", async () => {
    const { house, charged } = await withBoth();
    expect((await house.ask("DELETE", "/models/two")).status).toBe(200);
    expect(await charged("one")).toMatchObject({ model: "one" });
    const { body } = await house.ask<ModelBody>("GET", "/models/one");
    expect(body).toMatchObject({
      fallbacks: [],
      problem: expect.stringContaining('model.fallbacks[0] names "two"'),
    });
    await house.ask("POST", "/models", TWO);
    const again = await house.ask<ModelBody>("GET", "/models/one");
    expect(again.body).toMatchObject({ fallbacks: ["two"], problem: null });
  });

  test("can be changed in everything else when the other one is gone", async () => {
    const { house } = await withBoth();
    await house.ask("DELETE", "/models/two");
    const edited = await house.ask("PATCH", "/models/one", { context: 4_000 });
    expect(edited).toMatchObject({ status: 200, body: { context: 4_000 } });
    const priced = await house.ask("PUT", "/models/one/price", { input: "2", output: "8" });
    expect(priced.status).toBe(200);
    const same = await house.ask<ModelBody>("PATCH", "/models/one", { fallbacks: ["two"] });
    expect({ status: same.status, param: same.body.error.param }).toEqual({
      status: 400,
      param: "fallbacks",
    });
    const without = await house.ask("PATCH", "/models/one", { fallbacks: null });
    expect(without).toMatchObject({ status: 200, body: { problem: null } });
  });
});

describe("a model that the file calls free", () => {
  const file = `
models:
  - id: local
    owned_by: tests
    context: 8000
    max_output: 1000
    free: true
    upstream: { sandbox: sandbox-1.0 }
`;

  test("stays free where the console says something else of it", async () => {
    const { house, charged } = await setUp({ file });
    const { status, body } = await house.ask("PATCH", "/models/local", { context: 4_000 });
    expect({ status, ...body }).toMatchObject({ status: 200, context: 4_000, free: true });
    expect(await charged("local")).toMatchObject({ cost: "0.0" });
  });

  test("is not called anything else without a price", async () => {
    const { house } = await setUp({ file });
    const { status, body } = await house.ask<ModelBody>("PATCH", "/models/local", { free: false });
    expect({ status, param: body.error.param }).toEqual({ status: 400, param: "free" });
    expect(house.installation.snapshot.models).toEqual([]);
  });

  test("can be given a price, from now on or later", async () => {
    const { house, charged } = await setUp({ file });
    const later = { input: "2", output: "8", effective_from: tomorrow("T12:00:00Z") };
    const announced = await house.ask("PUT", "/models/local/price", later);
    expect(announced.body).toMatchObject({ free: true, price_version: "faregate.yaml/free" });
    expect(await charged("local")).toMatchObject({ cost: "0.0" });
    const priced = await house.ask("PUT", "/models/local/price", { input: "1", output: "4" });
    expect(priced.body).toMatchObject({ free: false });
    expect(await charged("local")).toMatchObject({
      lines: expect.arrayContaining([
        expect.objectContaining({ item: "output", unit_price: "0.000004" }),
      ]),
    });
    const reset = await house.ask("DELETE", "/models/local");
    expect(reset.body).toMatchObject({ deleted: false });
    expect(await charged("local")).toMatchObject({ cost: "0.0" });
  });
});

describe("settings", () => {
  test("a markup raises the shipped prices from the next request on, and is told beforehand", async () => {
    const { house, charged } = await setUp();
    const path = "/settings?preview=true";
    const { body } = await house.ask<PreviewBody>("PUT", path, { markup_percent: "25" });
    const mini = body.data.find(({ model }) => model === "sandbox-1.0");
    expect(mini?.changes).toContainEqual({
      rate: "output",
      old: "4.0",
      new: "5.0",
      percent: "25.00",
    });
    const paid = (unit_price: string) => ({
      price_version: "plan/2026-11-01",
      lines: expect.arrayContaining([expect.objectContaining({ item: "output", unit_price })]),
    });
    expect(await charged("sandbox-1.0")).toMatchObject(paid("0.000004"));
    await house.ask("PUT", "/settings", { markup_percent: "25" });
    expect(await charged("sandbox-1.0")).toMatchObject(paid("0.000005"));
    await house.ask("PUT", "/settings", { markup_percent: "0" });
    expect(await charged("sandbox-1.0")).toMatchObject(paid("0.000004"));
  });

  test("are those of the configuration until they are set, and again once they are forgotten", async () => {
    const { house } = await setUp({ file: "markup_percent: 10" });
    expect((await house.ask("GET", "/settings")).body).toEqual({
      object: "settings",
      markup_percent: "10",
      signup: "invite",
      signup_credit: "0.0",
      display_currency: null,
    });
    const form = {
      markup_percent: "12.5",
      signup: "open",
      signup_credit: "0.5",
      display_currency: { code: "CNY", rate: "7.12" },
    };
    const { body } = await house.ask("PUT", "/settings", form);
    expect(body).toMatchObject(form);
    expect(house.installation.current()).toMatchObject({
      signup: "open",
      signupCredit: 500_000_000n,
    });
    const nothing = { markup_percent: null, display_currency: null, signup: null };
    const { body: back } = await house.ask("PUT", "/settings", nothing);
    expect(back).toMatchObject({ markup_percent: "10", display_currency: null, signup: "invite" });
    expect(back).toMatchObject({ signup_credit: "0.5" });
  });

  test.each([
    ["markup_percent", { markup_percent: "-5" }],
    ["markup_percent", { markup_percent: "10001" }],
    ["signup", { signup: "anybody" }],
    ["signup_credit", { signup_credit: "1001" }],
    ["signup_credit", { signup_credit: "1e3" }],
    ["display_currency.code", { display_currency: { code: "yuan", rate: "7" } }],
    ["display_currency.rate", { display_currency: { code: "CNY", rate: "0" } }],
  ])("are refused at the field %s", async (param, form) => {
    const { status, body } = await unchanged.ask<ModelBody>("PUT", "/settings", form);
    expect({ status, param: body.error.param }).toEqual({ status: 400, param });
  });
});

test("a row that does not fit any more is told and leaves the rest in force", async () => {
  const { house } = await setUp();
  const price = '{"input":"1","output":"1"}';
  const row = { id: "p1", modelId: "gone-model", price, createdAtMs: 1, createdBy: "ada" };
  await house.tables.setPrice({ ...row, effectiveFromMs: 1 });
  await house.ask("PUT", "/models/sandbox-1.0/price", { input: "3", output: "3" });
  expect([...house.installation.problems.keys()]).toEqual(["model gone-model"]);
  const { body } = await house.ask<ModelBody>("GET", "/models/sandbox-1.0");
  expect(body.prices[0]?.input).toBe("3.0");
});
