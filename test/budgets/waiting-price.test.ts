// A request that waits in line for money is held and charged at the price that is in force when it gets it.
import { expect, test } from "bun:test";
import { onEngines } from "../store/engines.ts";
import { gauge, METRICS_PUBLIC } from "../support/gauges.ts";
import { perTest } from "../support/houses/house.ts";
import { operatorToken } from "../support/houses/operator-token.ts";
import { serve } from "../support/houses/serving.ts";
import { RESPONSES, StreamReader } from "../support/samples/wires.ts";
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
  async function standInLine() {
    const { vendor, server } = house;
    vendor.play((call) => streamOf(pausedEvents(call, never)));
    const { key } = await server.account("1", "--budget", "0.0001");
    const holder = await StreamReader.open(server, RESPONSES.path, key, BODY);
    await holder.readUntil(({ events }) => events.length > 0);
    const waiting = server.post(RESPONSES.path, key, BODY);
    await eventually("it waits", async () => (await gauge(server.url, "requests_waiting")) === 1);
    vendor.script = answer;
    return { holder, waiting, key };
  }

  async function setPrice(key: string, price: Readonly<Record<string, string>>): Promise<void> {
    const { server } = house;
    const estimate = async () =>
      (await server.post("/estimate", key, { endpoint: "/v1/responses", ...BODY })).text();
    const before = await estimate();
    const set = await fetch(new URL(`/api/operator/models/${MODEL}/price`, server.url), {
      method: "PUT",
      headers: {
        authorization: `Bearer ${await operatorToken(server)}`,
        "content-type": "application/json",
      },
      body: JSON.stringify(price),
    });
    expect(set.status).toBe(200);
    await eventually("the gate has the price", async () => (await estimate()) !== before);
  }

  test("is held and charged at a price that came into force meanwhile", async () => {
    const { holder, waiting, key } = await standInLine();
    await setPrice(key, { input: "1", output: "5" });
    holder.leave();
    const answered = await waiting;
    expect(answered.status).toBe(200);
    const id = answered.headers.get("x-request-id");
    const [row] = await eventually("its receipt is there", async () => {
      const rows = await house.database.run(
        `select cost, held, price_version from receipts where id = '${id}'`,
      );
      return rows.length > 0 && rows;
    });
    // The vendor counts 11 tokens of input and 7 of output.
    expect(Number(row?.cost)).toBe(11 * 1_000 + 7 * 5_000);
    expect(Number(row?.held)).toBeGreaterThanOrEqual(Number(row?.cost));
    expect(String(row?.price_version)).toStartWith("console/");
  });
});
