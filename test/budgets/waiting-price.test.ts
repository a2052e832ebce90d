// A request that waits in line for money is held and charged at the price that is in force when it gets it.
import { expect, test } from "bun:test";
import { onEngines } from "../store/engines.ts";
import { expectError } from "../support/errors.ts";
import { gauge, METRICS_PUBLIC } from "../support/gauges.ts";
import { perTest } from "../support/houses/house.ts";
import { operatorToken } from "../support/houses/operator-token.ts";
import { serve } from "../support/houses/serving.ts";
import { type JsonObject, RESPONSES, StreamReader } from "../support/samples/wires.ts";
import { answer, MockVendor, pausedEvents, streamOf } from "../support/vendors/mock-vendor.ts";
import { eventually } from "../support/waiting.ts";

const MODEL = "gpt-6-luna";
const BODY = { ...RESPONSES.request("Tell me about foxes."), model: MODEL };
const never = new Promise<void>(() => {});

onEngines("a request that waits in line on $name", (engine) => {
  const house = perTest(async (parts) => {
    const vendor = parts.keep(new MockVendor());
    const settings = {
      ...vendor.settings,
      ...METRICS_PUBLIC,
      FAREGATE_ADMISSION_WAIT_MS: "60000",
    };
    return { vendor, ...(await serve(parts, { engine, settings, books: true })) };
  });

  /** One stream that holds all there is, and one request behind it. */
  async function standInLine(body: JsonObject = BODY) {
    const { vendor, server } = house;
    vendor.play((call) => streamOf(pausedEvents(call, never)));
    const { key } = await server.account("1", "--budget", "0.0001");
    const holder = await StreamReader.open(server, RESPONSES.path, key, BODY);
    await holder.readUntil(({ events }) => events.length > 0);
    const waiting = server.post(RESPONSES.path, key, body);
    await eventually("it waits", async () => (await gauge(server.url, "requests_waiting")) === 1);
    vendor.script = answer;
    return { holder, waiting, key };
  }

  async function operator(method: string, path: string, body?: JsonObject): Promise<void> {
    const { server } = house;
    const done = await fetch(new URL(`/api/operator/${path}`, server.url), {
      method,
      headers: {
        authorization: `Bearer ${await operatorToken(server)}`,
        "content-type": "application/json",
      },
      body: body ? JSON.stringify(body) : null,
    });
    expect([await done.text(), done.ok]).toEqual([expect.any(String), true]);
  }

  async function setPrice(key: string, price: JsonObject, model = MODEL): Promise<void> {
    const { server } = house;
    const estimate = async () => {
      const body = { endpoint: "/v1/responses", ...RESPONSES.request("Hi."), model };
      return (await server.post("/estimate", key, body)).text();
    };
    const before = await estimate();
    await operator("PUT", `models/${model}/price`, price);
    await eventually("the gate has the price", async () => (await estimate()) !== before);
  }

  /** A model that the operator has added, at the vendor of the house. */
  async function addModel(id: string): Promise<void> {
    const shown = { owned_by: "acme", context: 128_000, max_output: 8_192 };
    const price = { input: "0.1", output: "0.4" };
    await operator("POST", "models", { id, ...shown, upstream: { openai: id }, price });
  }

  /** Takes a model away, and waits until keys no longer have it. */
  async function removeModel(key: string, id: string): Promise<void> {
    await operator("DELETE", `models/${id}`);
    await untilGone(key, id);
  }

  const untilGone = (key: string, id: string) =>
    eventually("the gate does not have the model", async () => {
      return (await house.server.fetch(`/models/${id}`, key)).status === 404;
    });

  async function receiptOf(answered: Response) {
    const id = answered.headers.get("x-request-id");
    const [row] = await eventually("its receipt is there", async () => {
      const rows = await house.database.run(
        `select cost, held, price_version, served_model from receipts where id = '${id}'`,
      );
      return rows.length > 0 && rows;
    });
    return {
      cost: Number(row?.cost),
      held: Number(row?.held),
      price_version: row?.price_version,
      served_model: row?.served_model,
    };
  }

  /** The vendor counts 11 tokens of input and 7 of output. Prices in nano-dollars per token. */
  const costAt = (input: number, output: number) => 11 * input + 7 * output;

  test("is held and charged at a price that came into force meanwhile", async () => {
    const { holder, waiting, key } = await standInLine();
    await setPrice(key, { input: "1", output: "5" });
    holder.leave();
    const answered = await waiting;
    expect(answered.status).toBe(200);
    const row = await receiptOf(answered);
    expect(Number(row.cost)).toBe(costAt(1_000, 5_000));
    expect(Number(row.held)).toBeGreaterThanOrEqual(Number(row.cost));
    expect(String(row.price_version)).toStartWith("console/");
  });

  test("is charged at the last of two prices that came into force meanwhile", async () => {
    const { holder, waiting, key } = await standInLine();
    await setPrice(key, { input: "7", output: "40" });
    await setPrice(key, { input: "2", output: "9" });
    holder.leave();
    const answered = await waiting;
    expect(answered.status).toBe(200);
    const row = await receiptOf(answered);
    expect(Number(row.cost)).toBe(costAt(2_000, 9_000));
    expect(Number(row.held)).toBeGreaterThanOrEqual(Number(row.cost));
  });

  test("is held and charged at the new price of the model that stands in for its own", async () => {
    const { vendor } = house;
    await addModel("acme-spare-1");
    const { holder, waiting, key } = await standInLine({ ...BODY, models: ["acme-spare-1"] });
    await setPrice(key, { input: "3", output: "11" }, "acme-spare-1");
    vendor.script = (call) =>
      call.body.model === "acme-spare-1"
        ? answer(call)
        : Response.json({ error: { message: "broken" } }, { status: 500 });
    holder.leave();
    const answered = await waiting;
    expect(answered.status).toBe(200);
    const row = await receiptOf(answered);
    expect(row.served_model).toBe("acme-spare-1");
    expect(Number(row.cost)).toBe(costAt(3_000, 11_000));
    expect(Number(row.held)).toBeGreaterThanOrEqual(Number(row.cost));
  });

  test("is served without a model that was to stand in for its own and is gone", async () => {
    await addModel("acme-spare-2");
    const { holder, waiting, key } = await standInLine({ ...BODY, models: ["acme-spare-2"] });
    await removeModel(key, "acme-spare-2");
    holder.leave();
    const answered = await waiting;
    expect(answered.status).toBe(200);
    expect((await receiptOf(answered)).served_model).toBeNull();
  });

  const GONE = { status: 404, code: "model_not_found", param: "model" };

  test("is refused when its model is gone, and costs nothing", async () => {
    await addModel("acme-main-1");
    const { holder, waiting, key } = await standInLine({ ...BODY, model: "acme-main-1" });
    await removeModel(key, "acme-main-1");
    holder.leave();
    const answered = await waiting;
    await expectError(answered, GONE);
    expect(await receiptOf(answered)).toMatchObject({ cost: 0, held: 0 });
    expect(house.vendor.calls).toHaveLength(1);
  });

  test("is refused when no channel has its model any more", async () => {
    const { holder, waiting, key } = await standInLine();
    await operator("PATCH", "channels/openai", { enabled: false });
    await untilGone(key, MODEL);
    holder.leave();
    const answered = await waiting;
    await expectError(answered, GONE);
    expect(await receiptOf(answered)).toMatchObject({ cost: 0, held: 0 });
  });

  test("is refused when its model is not available on its endpoint any more", async () => {
    const { server } = house;
    await addModel("acme-main-2");
    const { holder, waiting, key } = await standInLine({ ...BODY, model: "acme-main-2" });
    await operator("PATCH", "models/acme-main-2", { endpoints: ["chat"] });
    await eventually("the gate knows", async () => {
      const body = { ...RESPONSES.request("Hi."), model: "acme-main-2", temperature: 9 };
      return (await server.post(RESPONSES.path, key, body)).status === 400;
    });
    holder.leave();
    await expectError(await waiting, {
      status: 400,
      code: "unsupported_endpoint",
      param: "model",
    });
    expect(house.vendor.calls).toHaveLength(1);
  });
});
