// A key is looked at when its request comes. Whatever that then waits for, it must not outlive the key.
import { expect, test } from "bun:test";
import type { Store } from "../../src/store/store.ts";
import { type Engine, onEngines } from "../store/engines.ts";
import { RawClient } from "../support/clients/raw-client.ts";
import { gauge, METRICS_PUBLIC } from "../support/gauges.ts";
import { noHolds, receipts } from "../support/houses/database.ts";
import { type Parts, perSuite } from "../support/houses/house.ts";
import { serve } from "../support/houses/serving.ts";
import { CHAT, RESPONSES, WIRES } from "../support/samples/wires.ts";
import { answer, isChat, MockVendor } from "../support/vendors/mock-vendor.ts";
import { caughtUp, eventually } from "../support/waiting.ts";

/** Over before anything that is awaited here has happened. */
const FRESH_MS = 1;

const SETTINGS = { FAREGATE_KEY_FRESH_MS: String(FRESH_MS) };

onEngines("a body that comes slowly, on $name", (engine) => {
  const house = perSuite((parts) => serve(parts, { engine, settings: SETTINGS, books: true }));

  /** All of a request but its last byte, which the server has begun to read. */
  async function begin(path: string, key: string, body: object) {
    const text = JSON.stringify(body);
    const client = await RawClient.connect(house.server.url);
    const head = [
      `POST /v1${path} HTTP/1.1`,
      "host: 127.0.0.1",
      `authorization: Bearer ${key}`,
      "content-type: application/json",
      `content-length: ${text.length}`,
    ];
    client.send(`${head.join("\r\n")}\r\n\r\n${text.slice(0, -1)}`);
    await caughtUp(house.server.url);
    return { client, end: () => client.send(text.slice(-1)) };
  }

  type Change = Parameters<Store["accounts"]["updateKey"]>[1];
  const DISABLED: Change = { enabled: false };
  const ELSEWHERE: Change = { networks: ["10.99.0.0/16"] };

  test.each<[string, object, Change, string]>([
    [RESPONSES.path, RESPONSES.request("Say one"), DISABLED, "invalid_api_key"],
    [CHAT.path, CHAT.request("Say one"), DISABLED, "invalid_api_key"],
    [CHAT.path, CHAT.request("Say one"), ELSEWHERE, "ip_not_allowed"],
    ["/estimate", CHAT.request("Say one"), DISABLED, "invalid_api_key"],
    ["/responses/input_tokens", RESPONSES.request("Say one"), DISABLED, "invalid_api_key"],
  ])(
    "to %s is refused when its key was changed meanwhile: %#",
    async (path, body, change, code) => {
      const made = await house.server.account("1");
      const { client, end } = await begin(path, made.key, body);
      await house.server.beside(({ store }) => store.accounts.updateKey(made.keyId, change));
      await Bun.sleep(2 * FRESH_MS);
      end();
      await eventually("it is answered", () => client.text.includes("}}"));
      expect(client.text).toContain("HTTP/1.1 401");
      expect(client.text).toContain(`"code":"${code}"`);
      client.leave();
      // As of one that is refused at once, nothing is written.
      const written = await receipts(house.database);
      expect(written.filter(({ keyId }) => keyId === made.keyId)).toEqual([]);
    },
  );

  test.each(WIRES)("is answered where its key is as good as before: $path", async (wire) => {
    const { key } = await house.server.account("1");
    const { client, end } = await begin(wire.path, key, wire.request("Say one"));
    await Bun.sleep(2 * FRESH_MS);
    end();
    await eventually("it is answered", () => client.text.includes("HTTP/1.1 200"));
    client.leave();
  });
});

/** A server whose vendor the test plays. */
async function withVendor(parts: Parts, engine: Engine) {
  const vendor = parts.keep(new MockVendor());
  const settings = { ...SETTINGS, ...METRICS_PUBLIC, ...vendor.settings };
  return { vendor, ...(await serve(parts, { engine, settings, books: true })) };
}

/** A vendor that answers once it is let. */
function held(end: typeof answer) {
  const gate = Promise.withResolvers<void>();
  const script = async (call: Parameters<typeof end>[0]) => {
    await gate.promise;
    return end(call);
  };
  return { script, letGo: gate.resolve };
}

onEngines("a request that waits for another of its value, on $name", (engine) => {
  const house = perSuite((parts) => withVendor(parts, engine));

  test.each([
    ["has its answer", answer, 200],
    ["is refused by the vendor", () => Response.json({ error: {} }, { status: 400 }), 400],
  ])("is refused when their key was disabled before the other %s", async (_how, end, status) => {
    const { script, letGo } = held(end);
    house.vendor.play(script);
    const made = await house.server.account("1");
    const ask = () =>
      house.server.fetch(CHAT.path, made.key, {
        method: "POST",
        headers: { "content-type": "application/json", "idempotency-key": "one" },
        body: JSON.stringify(CHAT.request("Say one", { model: "gpt-5.2" })),
      });
    const first = ask();
    await eventually("the vendor is asked", () => house.vendor.calls.some(isChat));
    const second = ask();
    await caughtUp(house.server.url);
    await house.server.beside(({ store }) =>
      store.accounts.updateKey(made.keyId, { enabled: false }),
    );
    await Bun.sleep(2 * FRESH_MS);
    letGo();
    expect([(await first).status, (await second).status]).toEqual([status, 401]);
    expect(house.vendor.calls.filter(isChat)).toHaveLength(1);
  });
});

onEngines("a request that waits for money, on $name", (engine) => {
  const house = perSuite((parts) => withVendor(parts, engine));

  test.each([
    ["is refused when its key was disabled meanwhile", false, 401, 1],
    ["is answered where its key is as good as before", true, 200, 2],
  ])("%s", async (_what, enabled, status, calls) => {
    const { script, letGo } = held(answer);
    house.vendor.play(script);
    // As much as one request holds that is alone, and no more.
    const made = await house.server.account("0.002");
    const ask = () =>
      house.server.post(CHAT.path, made.key, CHAT.request("Say one", { model: "gpt-5.2" }));
    const first = ask();
    await eventually("the vendor is asked", () => house.vendor.calls.some(isChat));
    const second = ask();
    const { url } = house.server;
    await eventually("it waits", async () => (await gauge(url, "requests_waiting")) === 1);
    await house.server.beside(({ store }) => store.accounts.updateKey(made.keyId, { enabled }));
    await Bun.sleep(2 * FRESH_MS);
    letGo();
    expect([(await first).status, (await second).status]).toEqual([200, status]);
    expect(house.vendor.calls.filter(isChat)).toHaveLength(calls);
    await noHolds(house.database);
  });
});
